const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

const women =
  names(`mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra
margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia
kathleen amy angela shirley anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn janet
maria heather diane olivia julie joyce victoria ruth virginia lauren kelly christina joan evelyn judith andrea hannah
megan cheryl jacqueline martha madison teresa gloria sara janice ann anne kathryn abigail sophia sofia frances jean alice
judy isabella julia grace amber denise danielle marilyn beverly charlotte natalie theresa diana brittany doris kayla
alexis lori marie tiffany ana luna mia ava zoe chloe lily ella claire caroline melanie gina joanna audrey maya nora elena
lucia carmen rosa ines clara eva ida greta ingrid astrid yuki sakura mei priya anita leila fatima aisha layla amelia
harriet florence lucy molly ellie poppy ivy isla freya daisy naomi tara monica veronica bianca valeria camila daniela
gabriela paula carla silvia beatriz catarina joana mariana leonor matilde giulia chiara francesca alessandra nina katja
heidi petra sabine ursula birgit karin annette monika irene jane rose edith mabel agnes queen josephine catherine`)

const men =
  names(`james robert john michael david william richard joseph thomas christopher charles daniel matthew anthony
mark donald steven andrew paul joshua kenneth kevin brian george timothy ronald jason edward jeffrey ryan jacob gary
nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick frank raymond jack
dennis jerry tyler aaron jose adam nathan henry zachary douglas peter kyle noah ethan jeremy christian walter keith austin
roger terry sean gerald carl harold dylan arthur lawrence jesse bryan billy bruce gabriel joe logan alan juan albert
willie elijah wayne randy vincent mason roy ralph bobby russell bradley philip eugene tom tim ben sam dave dan mike nick
chris matt max leo oscar hugo felix carlos pedro luis miguel diego pablo javier antonio manuel francisco marco luca
matteo giovanni paolo andrea hans klaus jürgen stefan sven lars erik anders bjorn ivan dmitri sergei vladimir omar ahmed
ali hassan mohammed raj arjun rahul vikram amit hiroshi kenji takashi wei jun jamal kwame evan nate calvin jon ted fred
bob bill jim werner otto karl friedrich wilhelm ludwig johann pierre jean-luc françois louis antoine rené marcel simon
liam lucas mateo theo harry charlie jacob alfie archie ernest stanley clarence howard leonard martin victor winston`)

/** The gender that a first name suggests; null when it is unknown or used for both. */
export function nameGender(name: string): 'female' | 'male' | null {
  const first = (name.split(' ')[0] ?? '').toLowerCase()
  if (women.has(first) === men.has(first)) return null
  return women.has(first) ? 'female' : 'male'
}

export const isGivenName = (name: string): boolean =>
  women.has(name.toLowerCase()) || men.has(name.toLowerCase())
