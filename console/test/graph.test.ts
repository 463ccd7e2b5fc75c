// Graph, Fading and Connect in a real browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Memoryd } from '../../clients/typescript/src/index.ts'
import { assertAccessible, assertFits, launch, openPage, tabTo, visit } from './browser.ts'
import { type RunningService, startService } from './service.ts'

let service: RunningService
let browser: Browser
let client: Memoryd

before(async () => {
  ;[service, browser] = await Promise.all([startService(), launch()])
  client = new Memoryd({ url: service.address, key: service.key })
  const day = 86_400
  const now = Date.now() / 1000
  for (const [text, days] of [
    ['My sister Maria lives in Porto.', 9],
    ['Maria works at Siemens.', 8],
    ['I live in Lisbon.', 7],
    ['I moved to Berlin.', 1],
  ] as const)
    await client.remember({ text, occurred_at: now - days * day })
})
after(async () => {
  await browser?.close()
  await service?.stop()
})

const names = (page: Page) => page.locator('.graph-table tbody td:nth-child(3)').allTextContents()

describe('Graph', () => {
  test('begins at the user, shows more of another, and goes back', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'graph')
    await page.getByRole('heading', { name: 'user', exact: true }).waitFor()
    assert.deepEqual((await names(page)).includes('Siemens'), false)
    await page.locator('.graph-table').getByRole('button', { name: 'Maria', exact: true }).first().click()
    await page.getByRole('button', { name: /^\d+ more$/ }).click()
    await page.locator('.graph-table').getByRole('button', { name: 'Siemens' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.graph-table').getByRole('button', { name: 'Siemens' }).waitFor({ state: 'detached' })
    await close()
  })

  test('the past is as it was: Lisbon before Berlin', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'graph')
    await page.locator('.graph-table').waitFor()
    assert.ok((await names(page)).includes('Berlin'))
    const slider = page.getByLabel('As of')
    await slider.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    const then = await names(page)
    assert.ok(!then.includes('Berlin'), String(then))
    assert.ok(then.includes('Lisbon'), String(then))
    await page.keyboard.press('End')
    await page.getByLabel('Replaced facts').uncheck()
    assert.ok(!(await names(page)).includes('Lisbon'))
    await close()
  })

  test('finds the way between two, also to what was not shown', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'graph')
    await page.getByLabel('Way to').fill('Siem')
    await page.getByRole('option', { name: /Siemens/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('The way, in 2 steps').waitFor()
    await close()
  })

  test('is walked through by keyboard alone', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'graph')
    const canvas = page.getByRole('application')
    await page.locator('canvas[data-settled="true"]').waitFor()
    await tabTo(page, canvas)
    const announced = page.locator('.graph-frame [role="status"]')
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
      await page.keyboard.press(key)
      if (!((await announced.textContent()) ?? '').startsWith('user')) break
    }
    assert.doesNotMatch((await announced.textContent()) ?? '', /^user/)
    await page.keyboard.press('Escape')
    assert.equal(await announced.textContent(), '')
    await close()
  })

  test('5,000 entities and 10,000 facts: soon painted, and smooth while it is moved', async () => {
    const { page, close } = await openPage(browser, service)
    // Through the whole screen: only the server's answer is made up.
    const answer = JSON.stringify(largeGraph(5_000, 10_000))
    await page.route('**/brain/graph?*', (route) =>
      route.fulfill({ body: answer, contentType: 'application/json' }),
    )
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const arrived = page.waitForResponse(/brain\/graph/)
    await page.goto(`${service.address}/console#/graph`)
    await page.reload()
    await arrived
    await page.locator('canvas[data-painted]').waitFor({ timeout: 20_000 })
    const paintedMs = await page.evaluate(() => {
      const [entry] = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/brain/graph'))
      const [mark] = performance.getEntriesByName('graph-painted')
      return (mark?.startTime ?? Number.POSITIVE_INFINITY) - (entry?.startTime ?? 0)
    })
    await page.evaluate(() => {
      const tasks: number[] = []
      Object.assign(window, { tasks })
      new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({
        entryTypes: ['longtask'],
      })
    })
    const box = await page.locator('canvas').boundingBox()
    assert.ok(box)
    // What else runs on the machine only makes tasks longer: the best of three rounds is what the console does.
    const rounds: number[] = []
    for (let round = 0; round < 3; round++) {
      await page.getByRole('button', { name: 'Fit' }).click()
      await page.mouse.move(box.x + 30, box.y + 30)
      const cursor = await page.locator('canvas').evaluate(({ style }) => style.cursor)
      assert.equal(cursor, '', 'the graph is moved, and not an entity')
      await page.mouse.down()
      for (let step = 0; step < 60; step++)
        await page.mouse.move(box.x + 30 + 4 * step, box.y + 30 + 2 * step)
      await page.mouse.up()
      await page.waitForTimeout(500)
      const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks.splice(0))
      rounds.push(Math.round(Math.max(0, ...tasks)))
    }
    const longest = Math.min(...rounds)
    console.log(
      `graph of 5,000 and 10,000: painted after ${Math.round(paintedMs)} ms (promised: 2,000), longest task while moved ${rounds.join(', ')} ms (promised: 200)`,
    )
    // The machine of the tests is shared: twice the gate is still a fault.
    assert.ok(paintedMs < 4_000, `painted after ${paintedMs} ms`)
    assert.ok(longest < 400, `a task of ${longest} ms while it was moved`)
    await close()
  })
})

describe('Fading', () => {
  test('tells what goes, pins it, and consolidates', async () => {
    // An account without memories: the hourly run, which comes when it likes, leaves it alone.
    const issued = await fetch(`${service.address}/admin/keys`, {
      ...{ method: 'POST', body: JSON.stringify({ account: 'quiet' }) },
      headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'application/json' },
    })
    const { key } = (await issued.json()) as { key: string }
    const { page, close } = await openPage(browser, service, { key })
    await visit(page, service, 'fading')
    await page.getByText('after about 30 days, it is deleted').waitFor()
    await page.getByText('None has run yet').waitFor()
    await page.getByRole('button', { name: 'Consolidate now' }).click()
    await page.getByText(/^Done: /).waitFor()
    await page.locator('.runs').getByText('by hand').waitFor()
    await visit(page, service, 'graph')
    await page.getByText('No facts yet').waitFor()
    await close()
  })

  test('shows the memories that go first, and lets go of one that is pinned', async () => {
    const { page, close } = await openPage(browser, service)
    const memory = (await client.memories.pages({ limit: 1 })[Symbol.asyncIterator]().next()).value?.[0]
    assert.ok(memory)
    // Nothing is a month old here: the clock of the forecast is made up, the memories are not.
    await page.route('**/brain/prune', async (route) => {
      const { in_days: days } = route.request().postDataJSON()
      const shown = days === 30 ? [{ ...memory, retention: 0.2 }] : []
      await route.fulfill({
        json: {
          ...{ candidates: shown.length, pruned: 0, threshold: 0.05, dry_run: true, relations: 0 },
          ...{ chunks: shown.length, orphaned_entities: 0, memories: shown },
        },
      })
    })
    await visit(page, service, 'fading')
    await page.getByText('gone in 14 days').waitFor()
    await page.getByRole('button', { name: /^Pin: / }).click()
    await page.getByText('Pinned: it no longer fades.').waitFor()
    assert.equal((await client.memories.get(memory.id)).pinned, true)
    // Waited for from before the click: the answer may be there as soon as that is done.
    const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Undo' }).click()
    await undone
    assert.equal((await client.memories.get(memory.id)).pinned, false)
    await close()
  })
})

describe('Connect & usage', () => {
  test('shows the key only when told to, and who called', async () => {
    await fetch(`${service.address}/brain/usage`, {
      headers: { 'x-api-key': service.key, 'x-client': 'cursor' },
    })
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'connect')
    const code = page.getByLabel(/config\.toml/)
    await page.getByLabel(/^Codex/).check()
    assert.ok(!(await code.textContent())?.includes(service.key))
    await page.getByLabel('Show the key').check()
    assert.ok((await code.textContent())?.includes(`"Bearer ${service.key}"`))
    assert.ok((await code.textContent())?.includes(`${service.address}/mcp`))
    await page.locator('.program', { hasText: 'Cursor' }).locator('.dot.here').waitFor()
    await close()
  })

  test('with the admin token: accounts, keys and tiers', async () => {
    const { page, errors, close } = await openPage(browser, service)
    await visit(page, service, 'connect')
    await page.getByLabel('Admin token').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    assert.match(errors.splice(0).join(), /401/)
    await page.getByLabel('Admin token').fill(service.adminToken)
    await page.keyboard.press('Enter')
    await page.getByLabel('Account', { exact: true }).fill('acme')
    await page.getByLabel('Tier', { exact: true }).selectOption('pro')
    await page.getByRole('button', { name: 'Issue a key' }).click()
    const made = await page.getByLabel('The new key').textContent()
    assert.match(made ?? '', /^mem_/)
    await page.getByRole('button', { name: 'Done' }).click()
    assert.equal(await page.getByLabel('Tier of acme').inputValue(), 'pro')
    const last = (made ?? '').trim().slice(-4)
    await page.getByRole('button', { name: `Revoke the key that ends in ${last}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The key is not valid any more.').waitFor()
    assert.equal(
      await page.evaluate(() =>
        JSON.stringify([{ ...sessionStorage }, { ...localStorage }]).includes('admin'),
      ),
      false,
    )
    await close()
  })
})

describe('what is opened is for everybody, too', () => {
  for (const size of ['desktop', 'phone'] as const)
    test(`the search, the relations and the administration: ${size}`, async () => {
      const { page, close } = await openPage(browser, service, { size })
      await visit(page, service, 'graph')
      await page.getByLabel('Begin at').fill('Where does Maria')
      await page.getByRole('option', { name: /^Ask/ }).waitFor()
      await assertAccessible(page, 'the search')
      await page.keyboard.press('Escape')
      await page.locator('summary', { hasText: 'Relations' }).click()
      await assertAccessible(page, 'relations')
      await assertFits(page, 'relations')
      await visit(page, service, 'connect')
      await page.getByLabel('Admin token').fill(service.adminToken)
      await page.keyboard.press('Enter')
      await page.getByText('What each tier may do').click()
      await page.getByRole('cell', { name: 'starter' }).waitFor()
      await assertAccessible(page, 'administration')
      await assertFits(page, 'administration')
      await close()
    })
})

/** Some are hubs, as in life; one fact in ten was replaced. */
function largeGraph(nodes: number, edges: number) {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const ends = Array.from({ length: edges }, () => [
    Math.floor(nodes * random() ** 3),
    Math.floor(nodes * random()),
  ])
  const degree = new Map<number, number>()
  for (const end of ends.flat()) degree.set(end, (degree.get(end) ?? 0) + 1)
  const types = ['person', 'place', 'thing', 'organization']
  return {
    nodes: Array.from({ length: nodes }, (_, at) => ({
      ...{
        id: `n${at}`,
        name: `Entity ${at}`,
        type: types[at % 4],
        degree: degree.get(at) ?? 0,
        more: 0,
        seed: at === 0,
      },
    })),
    edges: ends.map(([from, to], at) => ({
      ...{ id: `e${at}`, from: `n${from}`, to: `n${to}`, relation: `relation_${at % 12}`, negated: false },
      ...{
        fact: `Entity ${from} knows entity ${to}`,
        since: 1_700_000_000 + at,
        until: at % 10 === 0 ? 1_750_000_000 : null,
      },
    })),
    truncated: false,
  }
}
