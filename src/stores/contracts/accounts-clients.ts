import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClientLog } from '../../accounts/ports.ts'
import { type OpenAccountStores, withAccountStores } from './accounts-setting.ts'

const start = 1_790_000_000.25

/** Rules CL1 to CL4 of docs/ports/accounts.md. */
export function clientLogContract(backend: string, open: OpenAccountStores): void {
  const check = (title: string, run: (clients: ClientLog) => Promise<void>) =>
    test(title, () =>
      withAccountStores(open, async ({ clients, accounts }) => {
        for (const name of ['acme', 'ACME']) await accounts.saveAccount({ name, tier: 'pro' }, start)
        await run(clients)
      }),
    )

  describe(`client log: ${backend}`, () => {
    check('[CL1] adds calls up and keeps the time of the last one', async (clients) => {
      assert.deepEqual(await clients.of('acme'), [])
      await clients.add('acme', [{ client: 'codex', calls: 2, lastAt: start + 5 }])
      await clients.add('acme', [
        { client: 'codex', calls: 1, lastAt: start },
        { client: 'o\'neil "; --', calls: 4, lastAt: start + 1 },
      ])
      assert.deepEqual(await clients.of('acme'), [
        { client: 'codex', calls: 3, lastAt: start + 5 },
        { client: 'o\'neil "; --', calls: 4, lastAt: start + 1 },
      ])
    })

    check('[CL1] drops calls for an account that is gone', async (clients) => {
      await clients.add('nobody', [{ client: 'codex', calls: 1, lastAt: start }])
      assert.deepEqual(await clients.of('nobody'), [])
    })

    check('[CL2] keeps the 20 last callers of an account', async (clients) => {
      for (let at = 0; at < 25; at++) {
        await clients.add('acme', [{ client: `client-${at}`, calls: 1, lastAt: start + at }])
      }
      const kept = await clients.of('acme')
      assert.deepEqual(
        kept.map(({ client }) => client),
        Array.from({ length: 20 }, (_, at) => `client-${24 - at}`),
      )
    })

    check('[CL3] keeps accounts apart', async (clients) => {
      await clients.add('acme', [{ client: 'codex', calls: 1, lastAt: start }])
      assert.deepEqual(await clients.of('ACME'), [])
    })

    check('[CL4] counts every call of parallel ones', async (clients) => {
      const one = [{ client: 'codex', calls: 1, lastAt: start }]
      await Promise.all(Array.from({ length: 10 }, () => clients.add('acme', one)))
      assert.deepEqual(await clients.of('acme'), [{ client: 'codex', calls: 10, lastAt: start }])
    })
  })
}
