/** Words before a colon that label a line and name nobody. */
const labels = new Set(
  `note notes update reminder fact facts date time place location subject re ps fyi todo question answer summary example
   warning tip important edit source title name email phone address job hobby age birthday here today tomorrow
   yesterday result step background context profile bio about me goal plan status agenda topic conclusion overview
   http https`.split(/\s+/),
)

const prefix =
  /^\s*(\p{Lu}[\p{L}\p{M}.'’-]*(?:[ \t]\p{Lu}[\p{L}\p{M}.'’-]*){0,2}|user|assistant|human|ai):[ \t]+\S/u

/** The name before the colon when the text starts with `Name:`; null when it does not, or a label stands there. */
export function speakerOf(text: string): string | null {
  const name = prefix.exec(text.slice(0, 200))?.[1]
  return name === undefined || labels.has(name.toLowerCase()) ? null : name
}

/** The line without the name and the colon that `speakerOf` found. */
export const withoutSpeaker = (line: string): string => line.replace(/^[^:]*:\s+/, '')
