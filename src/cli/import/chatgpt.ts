import type { Format } from './formats.ts'
import { type Fields, type Found, fields, isFields, list, named, text, time } from './record.ts'

/** An element of `conversations.json` of ChatGPT's export: a tree of messages, of which one branch is the conversation. */
export const chatgpt: Format = {
  title: 'ChatGPT',
  matches: (value) => isFields(value) && isFields(value.mapping),
  *read(value) {
    const conversation = fields(value)
    const nodes = fields(conversation.mapping)
    const branch = branchOf(nodes, text(conversation.current_node))
    const title = text(conversation.title)
    const id =
      text(conversation.conversation_id) || text(conversation.id) || `${conversation.create_time} ${title}`
    let said = time(conversation.create_time)
    for (const [name, node] of branch) {
      const message = fields(node.message)
      if (node.message === null || node.message === undefined) continue
      const role = text(fields(message.author).role)
      const reason = reasonToLeave(message, role)
      if (reason !== null) {
        yield { left: reason }
        continue
      }
      const { words, others } = contentOf(fields(message.content))
      for (let count = 0; count < others; count++) yield { left: 'images and files' }
      if (words.trim() === '' && others > 0) continue
      said = time(message.create_time) ?? said
      yield {
        text: {
          ...{
            text: words,
            occurred_at: said,
            source: role === 'user' ? 'user' : 'assistant',
            persona: null,
          },
          session_id: named('chatgpt', id),
          external_id: named('chatgpt', text(message.id) || name),
          metadata: { from: 'chatgpt', ...(title === '' ? {} : { title: title.toWellFormed() }) },
        },
      }
    }
    yield* otherBranches(nodes, new Set(branch.map(([name]) => name)))
  },
}

/** From the newest message to the first, turned round: answers that were made anew are not on it. */
function branchOf(nodes: Fields, current: string): readonly (readonly [string, Fields])[] {
  const way: [string, Fields][] = []
  const seen = new Set<string>()
  let name = Object.hasOwn(nodes, current) ? current : newestLeaf(nodes)
  while (Object.hasOwn(nodes, name) && !seen.has(name)) {
    seen.add(name)
    const node = fields(nodes[name])
    way.push([name, node])
    name = text(node.parent)
  }
  return way.reverse()
}

/** Where the export does not say which one is current. */
function newestLeaf(nodes: Fields): string {
  const leaves = Object.entries(nodes).filter(([, node]) => list(fields(node).children).length === 0)
  const saidAt = ([, node]: readonly [string, unknown]) => time(fields(fields(node).message).create_time) ?? 0
  return leaves.toSorted((a, b) => saidAt(b) - saidAt(a))[0]?.[0] ?? ''
}

function* otherBranches(nodes: Fields, shown: ReadonlySet<string>): Generator<Found> {
  for (const [name, node] of Object.entries(nodes))
    if (!shown.has(name) && isFields(fields(node).message)) yield { left: 'answers made anew' }
}

const spoken = new Set(['text', 'multimodal_text', 'code'])

function reasonToLeave(message: Fields, role: string): string | null {
  if (role !== 'user' && role !== 'assistant') return 'system and tools'
  if (fields(message.metadata).is_visually_hidden_from_conversation === true) return 'hidden'
  const recipient = text(message.recipient)
  if (recipient !== '' && recipient !== 'all') return 'calls of tools'
  return spoken.has(text(fields(message.content).content_type) || 'text') ? null : 'thoughts and context'
}

/** Parts that are no text are images, recordings and the like; some carry what was said in them. */
function contentOf(content: Fields): { readonly words: string; readonly others: number } {
  const parts = Array.isArray(content.parts) ? content.parts : [content.text ?? '']
  const words = parts.map((part: unknown) => (typeof part === 'string' ? part : text(fields(part).text)))
  const isOther = (part: unknown, at: number) => typeof part !== 'string' && words[at] === ''
  return { words: words.filter((word) => word !== '').join('\n'), others: parts.filter(isOther).length }
}
