import type { z } from 'zod'
import { answerAdmitted, type GateParts, type KeyContext } from '../http/answer.ts'
import type { RawInput, RouteOf } from '../http/route.ts'
import { fromWire, type Inside } from '../http/wire.ts'

/** One request of an MCP client, past key, loading and rate. */
export interface Visit {
  /** The persona of the connection; null: none was named. */
  readonly persona: string | null
  readonly hasLlm: boolean
  /** What a route of the API answers, through the same checks of plan, form, size and budget. */
  call<Reply extends z.ZodType>(
    route: RouteOf<'key'>,
    reply: Reply,
    input: Partial<RawInput>,
  ): Promise<Inside<z.output<Reply>>>
  /** The text for a failed call; bugs are logged and not shown. */
  explain(error: unknown): string
}

export function createVisit(
  parts: GateParts,
  context: KeyContext,
  { persona, explain }: Pick<Visit, 'persona' | 'explain'>,
): Visit {
  let calls = 0
  return {
    persona,
    hasLlm: context.memory.graphQa !== null,
    explain,
    call: async (route, reply, input) => {
      // Older clients may send several calls in one request, which was admitted as one.
      if (calls++ > 0) await parts.gate.admit(context.caller)
      const raw = { params: null, query: null, body: null, ...input }
      const { body } = await answerAdmitted(parts, route, raw, context)
      return fromWire(reply.parse(body))
    },
  }
}
