/** The same short program for every runtime, in what they all have: what it returns is compared. */
export async function program({ Memoryd, BadRequestError }, options) {
  const client = new Memoryd(options)
  await client.remember('My sister Maria lives in Lisbon.')
  await client.rememberAll(['The bins go out on Monday.', 'The archive key hangs behind the map.'])
  const { context } = await client.recall('Where does Maria live?')
  const error = await client.recall({ query: 'Maria', k: 0 }).catch((caught) => caught)
  let memories = 0
  for await (const _ of client.memories.list({ type: 'episodic', limit: 1 })) memories++
  return {
    first: context.split('\n')[0],
    wrong: error instanceof BadRequestError ? error.fields[0].path : String(error),
    knowsTheRequest: typeof error.requestId === 'string',
    memories,
  }
}
