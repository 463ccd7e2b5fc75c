import type { ClientCalls } from '../../../accounts/ports.ts'
import { mergedClients } from '../../../accounts/rules.ts'
import type { EngineContext } from '../engine/context.ts'

function clientsOf({ prepare }: EngineContext, account: string): readonly ClientCalls[] {
  const row = prepare('SELECT clients FROM client_log WHERE account = ?').get(account)
  return row === undefined ? [] : JSON.parse(String(row.clients))
}

export const clientWrites = {
  'clients.add': (
    context: EngineContext,
    { account, calls }: { readonly account: string; readonly calls: readonly ClientCalls[] },
  ): void => {
    // Calls are written after they were made: their account may be gone.
    context
      .prepare(
        'INSERT OR REPLACE INTO client_log (account, clients) SELECT name, ? FROM accounts WHERE name = ?',
      )
      .run(JSON.stringify(mergedClients(clientsOf(context, account), calls)), account)
  },
}

export const clientReads = { 'clients.of': clientsOf }
