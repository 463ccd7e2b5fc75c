import type { Format } from './formats.ts'
import { type Found, fields, isFields, list, named, text, time } from './record.ts'

/** What the programs themselves put among the words of the user. */
const machine = /^\s*(<[a-z_-]+>|# AGENTS\.md instructions|Caveat: The messages below)/

const isSpoken = (type: unknown) => ['text', 'input_text', 'output_text'].includes(text(type))

function* messageOf(content: unknown, record: (words: string) => Found): Generator<Found> {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields)
  const spoken = blocks.filter(({ type }) => isSpoken(type)).map((block) => text(block.text))
  const words = spoken.filter((word) => !machine.test(word))
  for (const { type } of blocks) if (!isSpoken(type)) yield { left: 'tools, thoughts and images' }
  for (const word of spoken) if (machine.test(word)) yield { left: 'notes of the program' }
  if (words.length > 0 || blocks.length === 0) yield record(words.join('\n\n'))
}

/** A line of a session of Claude Code. */
export const claudeCode: Format = {
  title: 'Claude Code',
  matches: (value) =>
    isFields(value) && typeof value.type === 'string' && ('sessionId' in value || 'leafUuid' in value),
  *read(value, { file, at }) {
    const line = fields(value)
    const { type, message } = line
    if (type !== 'user' && type !== 'assistant') return yield { left: 'lines without a message' }
    if (line.isSidechain === true) return yield { left: 'side chains' }
    if (line.isMeta === true) return yield { left: 'hidden' }
    const session = text(line.sessionId) || file
    const folder = text(line.cwd).toWellFormed()
    yield* messageOf(fields(message).content, (words) => ({
      text: {
        ...{ text: words, occurred_at: time(line.timestamp), source: type, persona: null },
        session_id: named('claude-code', session),
        external_id: named('claude-code', text(line.uuid) || `${session}:${at}`),
        metadata: { from: 'claude-code', ...(folder === '' ? {} : { folder }) },
      },
    }))
  },
}

/** A line of a rollout of Codex; the first one names the session. */
export const codex: Format = {
  title: 'Codex',
  matches: (value) => isFields(value) && isFields(value.payload) && 'timestamp' in value,
  *read(value, { file, at, state }) {
    const line = fields(value)
    const payload = fields(line.payload)
    if (line.type === 'session_meta') {
      state.set('session', text(payload.id))
      state.set('folder', text(payload.cwd))
    }
    const { role } = payload
    const isMessage = line.type === 'response_item' && payload.type === 'message'
    if (!isMessage) return yield { left: 'lines without a message' }
    if (role !== 'user' && role !== 'assistant') return yield { left: 'system and tools' }
    const session = state.get('session') || file
    const folder = state.get('folder')?.toWellFormed() ?? ''
    yield* messageOf(payload.content, (words) => ({
      text: {
        ...{ text: words, occurred_at: time(line.timestamp), source: role, persona: null },
        session_id: named('codex', session),
        external_id: named('codex', session, at),
        metadata: { from: 'codex', ...(folder === '' ? {} : { folder }) },
      },
    }))
  },
}
