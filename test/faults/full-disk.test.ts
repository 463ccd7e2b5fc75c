import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { type DirectoryService, openDirectoryService, withFolder } from './support/services.ts'

const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('NOT TESTED: a full disk. Mounting a small file system needs root.')

/** A directory on a file system of so many MiB. */
async function withSmallDisk(mebibytes: number, work: (directory: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const mount = path.join(folder, 'disk')
    await mkdir(mount)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', mount])
    try {
      await work(path.join(mount, 'data'))
    } finally {
      execFileSync('umount', ['-l', mount])
    }
  })
}

/** Small for the models, large for the disk. */
const bulk = { notes: 'x'.repeat(15_000) }
const text = (at: number) => `Person${at} likes Thing${at}.`

/** Ingests until a request fails; says how many were stored, and how the failure looked. */
async function fill({ post }: DirectoryService, key: string) {
  for (let stored = 0; ; stored++) {
    const { status, json } = await post(key, '/brain/ingest', { text: text(stored), metadata: bulk })
    if (status !== 200) return { stored, status, json }
    if (stored > 20_000) throw new Error('the disk does not become full')
  }
}

const stats = async ({ post }: DirectoryService, key: string) =>
  (await post(key, '/brain/stats', { user_id: 'x', persona: '*' })).json

test(
  'a full disk: ingest answers 503 and charges nothing, reads and forgetting go on, and room is used again',
  {
    skip: !isRoot,
  },
  () =>
    withSmallDisk(48, async (directory) => {
      let service = await openDirectoryService(directory)
      const key = await service.newKey('tenant')
      const { stored, status, json } = await fill(service, key)
      assert.equal(status, 503)
      assert.match(String(json.detail), /full/)
      assert.ok(stored > 10, `${stored} were stored`)
      assert.equal((await stats(service, key)).episodic_count, stored)

      // A budget for exactly one more text: were the failure charged, the next answer would be 429.
      const small = await service.newKey('small', 5)
      for (let attempt = 0; attempt < 3; attempt++) {
        const refused = await service.post(small, '/brain/ingest', {
          text: `${text(attempt)} Again.`,
          metadata: bulk,
        })
        assert.equal(refused.status, 503, JSON.stringify(refused.json))
      }
      assert.equal((await stats(service, small)).episodic_count, 0)

      const found = await service.post(key, '/brain/retrieve', { query: text(3), k: 5 })
      assert.equal(found.status, 200)
      assert.ok(Array.isArray(found.json.facts) && found.json.facts.length > 0)

      await service.close()
      service = await openDirectoryService(directory)
      assert.equal((await stats(service, key)).episodic_count, stored, 'after a restart on the full disk')

      const forgotten = await service.post(key, '/brain/forget', { everything: true })
      assert.equal(forgotten.status, 200, JSON.stringify(forgotten.json))
      assert.equal(forgotten.json.remaining, 0)
      const again = await service.post(small, '/brain/ingest', { text: text(0), metadata: bulk })
      assert.equal(again.status, 200, JSON.stringify(again.json))
      await service.close()
    }),
)
