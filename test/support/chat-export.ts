export const firstMessageAt = 1_700_000_000

/** A ChatGPT export of so many messages, a minute apart, in conversations of a hundred; each begins with a hidden system message. */
export function chatExport(messages: number, wordsOf: (index: number) => string): object[] {
  return Array.from({ length: Math.ceil(messages / 100) }, (_, at) => {
    const mapping: Record<string, object> = {
      root: { id: 'root', parent: null, children: ['system'], message: null },
      system: {
        ...{ id: 'system', parent: 'root', children: [`m${at * 100}`] },
        message: { id: 'system', author: { role: 'system' }, content: { content_type: 'text', parts: [''] } },
      },
    }
    const last = Math.min(messages, (at + 1) * 100) - 1
    for (let index = at * 100; index <= last; index++) {
      mapping[`m${index}`] = {
        ...{ id: `m${index}`, parent: index === at * 100 ? 'system' : `m${index - 1}` },
        children: index === last ? [] : [`m${index + 1}`],
        message: {
          id: `message-${index}`,
          author: { role: index % 2 === 0 ? 'user' : 'assistant' },
          create_time: firstMessageAt + 60 * index,
          content: { content_type: 'text', parts: [wordsOf(index)] },
          ...{ recipient: 'all', metadata: {} },
        },
      }
    }
    return {
      ...{ id: `conversation-${at}`, title: `Talk ${at}`, create_time: firstMessageAt },
      ...{ mapping, current_node: `m${last}` },
    }
  })
}
