// Node strips types by itself, but not below a node_modules folder, which is where an installed memoryd lives.
// Passed as --import, so that worker threads do the same.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const own = new URL('../src/', import.meta.url).href

if (own.includes('/node_modules/')) {
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(own) || !url.endsWith('.ts')) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
