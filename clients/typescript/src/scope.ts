import type { Memoryd } from './client.ts'

/** Whose memory, and which conversation. */
export interface MemoryScope {
  readonly persona?: string | undefined
  /** The conversation: its turns are kept together, and its newest ones count first. */
  readonly session?: string | undefined
  /** Called when memory could not be reached. The model goes on without it. */
  readonly onError?: ((error: unknown) => void) | undefined
}

const fieldsOf = ({ persona, session }: MemoryScope) => ({
  ...(persona === undefined ? {} : { persona }),
  ...(session === undefined ? {} : { session_id: session }),
})

/** For a tool: stores a statement and says what became of it. */
export async function storeText(
  client: Memoryd,
  scope: MemoryScope,
  text: string,
  signal?: AbortSignal | undefined,
): Promise<string> {
  return (await client.remember({ text, ...fieldsOf(scope) }, { signal })).msg
}

/** For a tool: what is known, as text for the model. */
export async function readMemory(
  client: Memoryd,
  scope: MemoryScope,
  question: string,
  signal?: AbortSignal | undefined,
): Promise<string> {
  const { context } = await client.recall({ query: question, ...fieldsOf(scope) }, { signal })
  return context === '' ? 'Nothing is known about this.' : context
}

const marks = { begin: '<memory>', end: '</memory>' } as const
/** Shorter messages say nothing that could be looked up. */
const shortest = 12
/** The longest text that memoryd takes. */
const longest = 32_768

/** The two halves of a turn. Neither ever fails: a model without memory is better than none. */
export const rememberTurn = {
  /** What is known about a message, as a block for the prompt; null when there is nothing. */
  before: async (
    client: Memoryd,
    scope: MemoryScope,
    asked: string,
    signal?: AbortSignal | undefined,
  ): Promise<string | null> => {
    if (asked.length < shortest) return null
    try {
      const request = { query: asked.slice(0, 4_096), ...fieldsOf(scope) }
      const { context } = await client.recall(request, { signal, maxRetries: 0 })
      return context === '' ? null : `${marks.begin}\n${context}\n${marks.end}`
    } catch (error) {
      scope.onError?.(error)
      return null
    }
  },
  /** Stores what the user said and what was answered, without the block that `before` made. */
  after: async (
    client: Memoryd,
    scope: MemoryScope,
    turn: { readonly asked: string; readonly answer: string },
  ): Promise<void> => {
    const said = [
      { text: turn.asked, source: 'user' as const },
      { text: turn.answer, source: 'assistant' as const },
    ].map(({ text, source }) => ({ text: withoutMemory(text).slice(0, longest), source }))
    try {
      for (const one of said)
        if (one.text.length >= shortest) await client.remember({ ...one, ...fieldsOf(scope) })
    } catch (error) {
      scope.onError?.(error)
    }
  },
}

function withoutMemory(text: string): string {
  let rest = text
  for (;;) {
    const begin = rest.indexOf(marks.begin)
    const end = rest.indexOf(marks.end, begin)
    if (begin < 0 || end < 0) return rest.trim()
    rest = rest.slice(0, begin) + rest.slice(end + marks.end.length)
  }
}
