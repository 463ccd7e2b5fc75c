import { type StubBehaviour, type StubCall, type StubReply, userPart } from './llm-stub.ts'

/** A made-up model that does what the service asks of it, in the plainest way: it repeats the data it is given. */
export const helpfulModel: StubBehaviour = (call) => {
  const data = dataOf(call)
  const system = call.messages.find(({ role }) => role === 'system')?.content ?? ''
  const task = tasks.find(({ asked }) => asked.test(system))
  if (task === undefined) return text(data[0] === undefined ? 'Hello.' : `${data[0]} [1].`)
  return text(JSON.stringify(task.reply(data)))
}

interface Task {
  readonly asked: RegExp
  reply(data: readonly string[]): unknown
}

const tasks: readonly Task[] = [
  {
    asked: /a title/,
    reply: (data) => ({
      title: data[0]?.split(' ').slice(0, 3).join(' ') ?? '',
      summary: data.slice(0, 3).join('. '),
    }),
  },
  {
    asked: /shorten/,
    reply: (data) => ({ facts: data.map((text, index) => ({ number: index + 1, text })) }),
  },
  { asked: /entities and facts/, reply: (data) => ({ entities: [], facts: data.flatMap(triples) }) },
]

/** Sentences of three words with two names: `Maria knows Tom.` */
function triples(line: string) {
  return [...line.matchAll(/\b(\p{Lu}\p{L}+) (\p{Ll}+) (\p{Lu}\p{L}+)\b/gu)].map(
    ([, subject, relation, object]) => ({
      ...{ subject, relation, object, negated: false, ended: false, when: null },
    }),
  )
}

/** The lines between the marks, without their numbers. */
function dataOf(call: StubCall): string[] {
  const inside = /<data ([^>]+)>\n([\s\S]*?)\n<\/data \1>/.exec(userPart(call))?.[2] ?? ''
  return inside
    .split('\n')
    .map((line) => line.replace(/^\d+\. /, ''))
    .filter((line) => line !== '')
}

function text(content: string): StubReply {
  return { kind: 'text', text: content }
}
