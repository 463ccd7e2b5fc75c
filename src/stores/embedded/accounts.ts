import type { AccountStore } from '../../accounts/ports.ts'
import { asNamespace, type NewId } from '../../core/ids.ts'
import type { Engine } from './engine/engine.ts'

/** Accounts and keys in the embedded store. A new account's namespace is a new id, never one used before. */
export function createEmbeddedAccountStore(engine: Engine, newId: NewId): AccountStore {
  return {
    saveAccount: async (account, now) => {
      const saved = await engine.write('accounts.save', {
        ...account,
        namespace: asNamespace(newId()),
        createdAt: now,
      })
      if (saved === null) throw new Error(`Account ${account.name} was saved and is not there.`)
      return saved
    },
    account: (name) => engine.read('accounts.named', name),
    patchAccount: (name, patch) => engine.write('accounts.patch', { name, ...patch }),
    accounts: () => engine.read('accounts.all'),
    addKey: (key) => engine.write('accounts.addKey', key),
    keyByHash: (hash) => engine.read('accounts.keyByHash', hash),
    key: (id) => engine.read('accounts.key', id),
    keys: () => engine.read('accounts.keys'),
    removeAccount: (name) => engine.write('accounts.remove', name),
    expireKey: (id, at) => engine.write('accounts.expireKey', { id, at }),
  }
}
