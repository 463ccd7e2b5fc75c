import type { AccountStores } from '../../accounts/ports.ts'

/** Opens an empty backend. */
export type OpenAccountStores = () => Promise<AccountStores & { close(): Promise<void> }>

/** Runs a test on an empty backend and closes it, whatever happens. */
export async function withAccountStores(
  open: OpenAccountStores,
  run: (stores: AccountStores) => Promise<void>,
): Promise<void> {
  const stores = await open()
  try {
    await run(stores)
  } finally {
    await stores.close()
  }
}
