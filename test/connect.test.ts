import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { CommandFailure, UsageError } from '../src/cli/command.ts'
import { clients } from '../src/cli/connect/clients.ts'
import { connect } from '../src/cli/connect.ts'
import { readConfig } from '../src/config.ts'

const key = 'mem_0123456789abcdefghijklmnopqrstuv'
const url = 'http://127.0.0.1:7999'
const withHooks = ['claude-code', 'codex']

describe('memoryd connect', () => {
  let home: string
  let shown: string[]
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'memoryd-home-'))
    shown = []
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const run = (...args: readonly string[]) =>
    connect.run(args, {
      environment: { HOME: home },
      terminal: {
        outIsShown: false,
        errIsShown: false,
        out: (text) => shown.push(text),
        err: (text) => shown.push(text),
      },
      config: () => {
        const { config } = readConfig({ DATA_DIR: path.join(home, 'data') })
        if (config === null) throw new Error('the test configuration is invalid')
        return config
      },
    })
  const named = ['--url', url, '--key', key, '--yes']

  /** Every file below the home, by its path. */
  async function files(): Promise<Record<string, string>> {
    const entries = await readdir(home, { recursive: true, withFileTypes: true })
    const found = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
    const texts = await Promise.all(found.map((file) => readFile(file, 'utf8')))
    return Object.fromEntries(found.map((file, index) => [path.relative(home, file), texts[index] ?? '']))
  }
  async function put(file: string, text: string): Promise<void> {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true })
    await writeFile(path.join(home, file), text)
  }

  test('a key in a file that others may read is told', async () => {
    const [name = ''] = Object.keys(clients)
    assert.equal(await run(name, ...named), 0)
    assert.doesNotMatch(shown.join(), /Others may read/)
    const [file = ''] = Object.keys(await files())
    await run(name, '--remove', '--yes')
    await put(file, '{}')
    await chmod(path.join(home, file), 0o644)
    assert.equal(await run(name, ...named), 0)
    assert.match(shown.join(), new RegExp(`Others may read the key in .*${path.basename(file)}: chmod 600`))
    assert.equal((await stat(path.join(home, file))).mode & 0o777, 0o644)
  })

  for (const name of Object.keys(clients)) {
    const hooks = withHooks.includes(name) ? ['--hooks'] : []

    test(`${name}: writes the address and the key, for the owner alone, and takes all of it out again`, async () => {
      assert.equal(await run(name, ...named, ...hooks), 0)
      const written = await files()
      assert.ok(Object.keys(written).length >= 1)
      for (const [file, text] of Object.entries(written)) {
        assert.equal((await stat(path.join(home, file))).mode & 0o777, 0o600, file)
        if (file.endsWith('hooks.json')) continue
        assert.ok(text.includes(url) && text.includes(key), file)
      }
      assert.equal(await run(name, '--remove', '--yes'), 0)
      assert.deepEqual(await files(), {})
    })

    test(`${name}: keeps what others wrote, to the byte, and does not double its own`, async () => {
      assert.equal(await run(name, ...named, ...hooks), 0)
      const foreign: Record<string, string> = {}
      for (const file of Object.keys(await files())) {
        if (file.endsWith('.curl')) continue
        foreign[file] = file.endsWith('.toml')
          ? 'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n'
          : `{
    // mine
    "list": ["a", "b"],
    "mcpServers": {
        "other": {
            "command": "y"
        }
    },
    "servers": {
        "other": {
            "command": "y"
        }
    },
    "hooks": {
        "Stop": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "say done"
                    }
                ]
            }
        ]
    }
}
`
      }
      await run(name, '--remove', '--yes')
      for (const [file, text] of Object.entries(foreign)) await put(file, text)

      assert.equal(await run(name, ...named, ...hooks), 0)
      const once = await files()
      for (const [file, text] of Object.entries(foreign)) {
        assert.notEqual(once[file], text)
        assert.match(once[file] ?? '', /mine/)
        assert.match(once[file] ?? '', /other/)
      }
      assert.equal(await run(name, ...named, ...hooks), 0)
      assert.deepEqual(await files(), once)
      assert.match(shown.at(-1) ?? '', /Nothing to change/)

      assert.equal(await run(name, '--remove', '--yes'), 0)
      assert.deepEqual(await files(), foreign)
    })

    test(`${name}: --print shows everything and writes nothing`, async () => {
      assert.equal(await run(name, '--url', url, '--key', key, '--print', ...hooks), 0)
      assert.ok(shown.join('\n').includes(url) && shown.join('\n').includes(key))
      assert.deepEqual(await files(), {})
    })
  }

  test('without a connection there is nothing to take out', async () => {
    await put('.codex/config.toml', 'model = "x"\n\n\n')
    await put('.codex/hooks.json', '{}')
    const before = await files()
    assert.equal(await run('codex', '--remove', '--yes'), 0)
    assert.match(shown.at(-1) ?? '', /Nothing to change/)
    assert.deepEqual(await files(), before)
  })

  test('another address replaces the old one', async () => {
    await run('claude-code', ...named, '--hooks')
    await run('claude-code', '--url', 'https://memory.example.com/', '--key', key, '--yes', '--hooks')
    for (const text of Object.values(await files())) {
      assert.doesNotMatch(text, /127\.0\.0\.1/)
      assert.match(text, /https:\/\/memory\.example\.com\/(mcp|hooks)/)
    }
  })

  test('shows the change first, without the key, and without a person it needs --yes', async () => {
    await assert.rejects(run('cursor', '--url', url, '--key', key), CommandFailure)
    assert.deepEqual(await files(), {})
    assert.match(shown.join('\n'), /\.cursor\/mcp\.json\n\+ \{/)
    assert.doesNotMatch(shown.join('\n'), /mem_0123/)
  })

  test('takes the address and the key of the data directory', async () => {
    await put('data/address', `${url}\n`)
    await put('data/default-key', `${key}\n`)
    await run('cursor', '--yes')
    const { '.cursor/mcp.json': text = '' } = await files()
    assert.deepEqual(JSON.parse(text).mcpServers.memoryd, {
      url: `${url}/mcp`,
      headers: { Authorization: `Bearer ${key}` },
    })
  })

  test('says what is missing', async () => {
    await assert.rejects(run('cursor', '--yes'), /no server runs on/)
    await assert.rejects(run('cursor', '--yes', '--url', url), /holds no key/)
    await assert.rejects(run('emacs', '--yes'), UsageError)
    await assert.rejects(run('cursor', '--hooks', ...named), /no hooks/)
    await put('.cursor/mcp.json', '{"mcpServers": ')
    await assert.rejects(run('cursor', ...named), /not valid JSON/)
  })
})
