import { passOnMessages } from '../../clients/typescript/src/bridge.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'

/** `memoryd mcp`: lets a program that only starts other programs speak with a server, line by line. */
export const mcp: Command = {
  usage: '(MEMORYD_URL and MEMORYD_API_KEY name the server and its key)',
  run: async (args, { environment, terminal }) => {
    if (args.length > 0) throw new UsageError('mcp takes no arguments')
    const { MEMORYD_URL: url, MEMORYD_API_KEY: key } = environment
    if (url === undefined || key === undefined)
      throw new CommandFailure('MEMORYD_URL and MEMORYD_API_KEY are needed')
    await passOnMessages({ url: url.replace(/\/+$/, ''), key }, process.stdin, terminal.out)
    return 0
  },
}
