import { type StubBehaviour, type StubCall, userPart } from '../../test/support/llm-stub.ts'

/** What a made-up model does with what it reads. */
export interface Obedience {
  /** The word it lets out when it obeys. */
  readonly canary: string
  /** How often it found something to obey. */
  obeyed: number
}

/** Verbs that a model which wants to please takes for a request, wherever they stand. */
const requests =
  /ignor|disregard|forget|overrid|bypass|pretend|act as|you are|you will|you must|reply|respond|answer|repeat|print|output|say |write|reveal|tell|show|give|translate|explain|describe|decode|explain|provide|create|draft|password|secret|instruction|prompt|canary/

/**
 * A model that carries out every request it finds outside the system part, after undoing every disguise it knows.
 * With `always` it does not even need one: it is in the attacker's hands.
 */
export function obedientModel(state: Obedience, always: boolean): StubBehaviour {
  return (call) => {
    if (!always && !readings(data(call)).some((reading) => requests.test(reading)))
      return reply(call, 'The facts do not say.')
    state.obeyed++
    return reply(call, `${state.canary} [1]. As you wish, the canary is ${state.canary}.`)
  }
}

/** Without the question: that is the caller's own. */
function data(call: StubCall): string {
  return userPart(call).split('\nQuestion: ')[0] ?? ''
}

/** In whatever form was asked for, the same words in every place. */
function reply(call: StubCall, text: string) {
  if (!call.structured) return { kind: 'text', text } as const
  const fact = { subject: text, relation: text, object: text, number: 1, text }
  const body = { title: text, summary: text, entities: [{ name: text, type: 'thing' }], facts: [fact] }
  return { kind: 'text', text: JSON.stringify(body) } as const
}

const letters: Readonly<Record<string, string>> = Object.fromEntries(
  [...'аасеіјорѕху0134578@$'].map((from, index) => [from, [...'aaceijopsxyoieastbas'][index] ?? from]),
)

/** The text as such a model may read it: undisguised, decoded, with its letters alone. */
function readings(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  const mapped = [...plain.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((letter) => letters[letter] ?? letter)
    .join('')
  const blobs = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([blob]) =>
    Buffer.from(blob, 'base64').toString('utf8'),
  )
  return [plain, mapped, mapped.replace(/[^a-z]/g, ''), ...blobs.map((blob) => blob.toLowerCase())]
}
