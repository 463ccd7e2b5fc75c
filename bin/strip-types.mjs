// Node strips types by itself, but not below a node_modules folder, which is where an installed memoryd lives.
// Passed as --import, so that worker threads do the same.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const own = new URL('../', import.meta.url).href
// The stdio bridge is the one of the client package.
const sources = ['src/', 'clients/'].map((folder) => own + folder)

if (own.includes('/node_modules/')) {
  // Worker threads do not heed --disable-warning, and the log is JSON lines.
  const { emitWarning } = process
  process.emitWarning = (warning, ...details) => {
    if (details[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...details)
  }
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith('.ts') || !sources.some((folder) => url.startsWith(folder))) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
