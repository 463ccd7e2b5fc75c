import { z } from 'zod'
import type { IngestItem } from '../../../memory/memory.ts'
import { limits, prose } from '../../fields.ts'

const content = prose('content', limits.textCharacters)

/** Instructions and the results of tools are not what somebody told. */
const sources = {
  user: 'user',
  assistant: 'assistant',
  system: null,
  developer: null,
  tool: null,
  function: null,
} as const

const part = z.object(
  { type: z.literal('text'), text: z.string() },
  { error: 'content must be a text, or a list of parts of the type text' },
)

const message = z.object(
  {
    role: z.enum(Object.keys(sources) as (keyof typeof sources)[], {
      error: `role must be one of ${Object.keys(sources).join(', ')}`,
    }),
    content: z.preprocess(
      (value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : (value ?? [])),
      z.array(part, { error: 'content must be a text, or a list of parts of the type text' }),
    ),
  },
  { error: 'a message must be an object with role and content' },
)

export type Told = Pick<IngestItem, 'text' | 'source'>

/** A conversation, or one text of the user, as the texts to remember. Messages that tell nothing are left out. */
export const messages = z
  .preprocess(
    (value) => (typeof value === 'string' ? [{ role: 'user', content: value }] : value),
    z.array(message, { error: 'messages must be a list of messages' }),
  )
  .transform((all, context): readonly Told[] => {
    const told = all.flatMap(({ role, content: parts }, at) => {
      const source = sources[role]
      const text = parts.map((one) => one.text).join('\n')
      if (source === null || text === '') return []
      const checked = content.safeParse(text)
      if (checked.success) return [{ text: checked.data, source }]
      for (const { message } of checked.error.issues) {
        context.addIssue({ code: 'custom', path: [at, 'content'], message })
      }
      return []
    })
    if (told.length === 0 && context.issues.length === 0) {
      const message = 'messages must hold something that the user or the assistant said'
      context.addIssue({ code: 'custom', message })
    }
    return told
  })
