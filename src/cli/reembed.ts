import { createLog } from '../observe/log.ts'
import { openReembedding } from '../service/reembed.ts'
import { requireStore } from '../service/stores.ts'
import { type Command, UsageError } from './command.ts'
import { makeDirectory } from './directories.ts'

/** `memoryd reembed`: makes every stored vector anew with the configured model. The server must not be running. */
export const reembed: Command = {
  usage: '',
  run: async (args, { config, terminal }) => {
    if (args.length > 0) throw new UsageError('reembed takes no arguments')
    const settings = config()
    if (settings.stores.mode === 'embedded') requireStore(settings.dataDir)
    else makeDirectory('DATA_DIR', settings.dataDir)
    const work = await openReembedding(settings, createLog('error'))
    try {
      const total = await work.run((done, total) => terminal.err(`${done} of ${total} texts embedded`))
      terminal.out(`Done: ${total} texts embedded. The server can be started.`)
      return 0
    } finally {
      await work.close()
    }
  },
}
