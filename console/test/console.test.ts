// The console in a real browser (Debian's chromium), against memoryd as it ships.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Memoryd } from '../../clients/typescript/src/index.ts'
import { assertAccessible, assertFits, launch, openPage, screens, sizes, tabTo, visit } from './browser.ts'
import { hostileTexts, manyFacts } from './hostile.ts'
import { type RunningService, startService } from './service.ts'

const sister = 'My sister Maria lives in Porto and works at Siemens.'

let service: RunningService
let browser: Browser
let client: Memoryd
before(async () => {
  ;[service, browser] = await Promise.all([startService(), launch()])
  client = new Memoryd({ url: service.address, key: service.key })
})
after(async () => {
  await browser?.close()
  await service?.stop()
})

describe('from the first start', () => {
  test('a link that somebody opens who is signed in leaves the address, and stays unused', async () => {
    const { page, close } = await openPage(browser, service)
    await page.goto(service.link)
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
    assert.ok(!page.url().includes('link='), 'the link stays in the address')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await close()
  })

  test('a link signs in where the key of before is no longer valid', async () => {
    const { page, errors, close } = await openPage(browser, service, { key: 'of an earlier store' })
    await page.route('**/console/sign-in', (route) => route.fulfill({ json: { key: service.key } }))
    await page.goto(service.link)
    const signedIn = page.waitForResponse('**/console/sign-in')
    await page.getByRole('button', { name: 'Where do I live?' }).click()
    await signedIn
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
    assert.match(errors.splice(0).join(), /401/)
    await close()
  })

  test('the link of the terminal leads to a first recalled fact, by clicking alone', async () => {
    const { page, close } = await openPage(browser, service, { key: null })
    await page.goto(service.link)
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
    assert.ok(!page.url().includes('link='), 'the link stays in the address')
    await page.getByRole('button', { name: 'My sister Maria' }).click()
    await page.getByText('nothing is stored yet').waitFor()
    await page.getByRole('button', { name: 'Remember it' }).click()
    await page.getByText('Stored 3 facts').waitFor()
    await page.getByRole('button', { name: 'Where does my sister work?' }).click()
    const first = page.locator('.recalled .result').first()
    await first.waitFor()
    assert.match((await first.textContent()) ?? '', /Siemens/)
    await page.reload()
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    assert.equal(await page.evaluate(() => sessionStorage.length), 0)
    await close()
  })

  test('the link works once', async () => {
    const { page, errors, close } = await openPage(browser, service, { key: null })
    await page.goto(service.link)
    await page.getByText('This link was used before').waitFor()
    assert.match(errors.splice(0).join(), /401/)
    await close()
  })

  test('a wrong key is told, and the right one opens the screen one came for', async () => {
    const { page, errors, close } = await openPage(browser, service, { key: null })
    await page.goto(`${service.address}/console#/memories`)
    await page.getByLabel('API key').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    assert.match(errors.splice(0).join(), /401/)
    await close()
  })
})

describe('by keyboard alone', () => {
  const reach = async (page: Page, name: string) => {
    await tabTo(page, page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    // The heading takes the focus.
    await page.locator('h1:focus').waitFor()
  }
  const open = async () => {
    const opened = await openPage(browser, service)
    await opened.page.reload()
    await opened.page.getByRole('heading', { level: 1 }).waitFor()
    return opened
  }

  test('Tab first offers to skip to the content', async () => {
    const { page, close } = await open()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
    await close()
  })

  test('Try it: tell, look, ask', async () => {
    const { page, close } = await open()
    await reach(page, 'Try it')
    await tabTo(page, page.getByLabel('A sentence or a few'))
    await page.keyboard.type('I live in Lisbon.')
    await tabTo(page, page.getByRole('button', { name: 'Only look' }))
    await page.keyboard.press('Enter')
    await page.getByText('nothing is stored yet').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Stored 1 fact').waitFor()
    // The question is next: the focus is there.
    await page.keyboard.type('Where do I live?')
    await page.keyboard.press('Enter')
    await page.locator('.recalled').getByText('The answer is here').waitFor()
    await close()
  })

  test('Why: a question opened, and one memory that was not returned', async () => {
    for (const text of [sister, 'I live in Lisbon.']) await client.remember(text)
    const { page, close } = await open()
    await reach(page, 'Why')
    await tabTo(page, page.getByLabel('The question'))
    await page.keyboard.type('Where does my sister work?')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What came back' }).waitFor()
    await tabTo(page, page.locator('.bar summary').first())
    await page.keyboard.press('Enter')
    await page.locator('.bar table').first().waitFor()
    await tabTo(page, page.getByLabel('Words of the memory'))
    await page.keyboard.type('lisbon')
    const found = page.locator('.found-one').first()
    await found.waitFor()
    await tabTo(page, found)
    await page.keyboard.press('Enter')
    await page.locator('.looked > p').getByText('It scored less than the least that is shown').waitFor()
    // All others are explained as before.
    assert.ok((await page.locator('.cut').count()) > 0)
    assert.equal(await page.getByText('No explanation came with it').count(), 0)
    await close()
  })

  test('Memories: correct with undo, pin, forget with a receipt', async () => {
    const { ids } = await client.remember('My old bicycle is red.')
    const { page, close } = await open()
    await reach(page, 'Memories')
    await tabTo(page, page.getByLabel('Words in it'))
    await page.keyboard.type('BICYCLE is red.')
    const row = page.locator('.memory').getByRole('link', { name: 'My old bicycle is red.' })
    await row.waitFor()
    await tabTo(page, row)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Versions' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Correct' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('What holds instead'))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('My old bicycle is green.')
    await tabTo(page, page.getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    await page.locator('.memory-full').getByText('My old bicycle is green.').waitFor()
    assert.equal((await client.memories.get(ids?.[0] ?? '')).superseded, true)
    await tabTo(page, page.getByRole('button', { name: 'Undo' }))
    await page.keyboard.press('Enter')
    await page.locator('.memory-full').getByText('My old bicycle is red.').waitFor()
    assert.equal((await client.memories.get(ids?.[0] ?? '')).superseded, false)
    await tabTo(page, page.getByRole('button', { name: 'Pin', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Unpin' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Forget' }))
    await page.keyboard.press('Enter')
    const forget = page.getByRole('dialog').getByRole('button', { name: 'Forget' })
    await page.getByText('would go, for good').waitFor()
    // Escape keeps everything.
    await page.keyboard.press('Escape')
    await forget.waitFor({ state: 'detached' })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    assert.equal(await focused(), 'Forget …', 'the focus is back where it was')
    await page.keyboard.press('Enter')
    await page.getByText('would go, for good').waitFor()
    await tabTo(page, forget)
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Now' }))
    await page.keyboard.press('Enter')
    await page.getByText('Counted again: 0').waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Done' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    await assert.rejects(client.memories.get(ids?.[0] ?? ''))
    await close()
  })

  test('Memories: what is undone in time is not forgotten', async () => {
    const { ids } = await client.remember('The spare key lies under the blue pot.')
    const { page, close } = await open()
    await visit(page, service, 'memories?text=spare%20key')
    await tabTo(page, page.getByLabel('Select: The spare key'))
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Forget' }), 200)
    await page.keyboard.press('Enter')
    await page.getByText('would go, for good').waitFor()
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Forget' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Undo' }))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await client.memories.get(ids?.[0] ?? '')).fact, 'The spare key lies under the blue pot.')
    await close()
  })

  test('Graph: begin at somebody, and hide a relation', async () => {
    await client.remember(sister)
    const { page, close } = await open()
    await reach(page, 'Graph')
    await tabTo(page, page.getByLabel('Begin at'))
    await page.keyboard.type('Maria')
    await page.getByRole('option', { name: /^Maria/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('.graph-side').getByRole('heading', { name: 'Maria' }).waitFor()
    const facts = page.locator('.graph-facts')
    await facts.getByText('works at').waitFor()
    await tabTo(page, page.locator('.relations > summary'))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('checkbox', { name: /^works at/ }))
    await page.keyboard.press('Space')
    await facts.getByText('works at').waitFor({ state: 'detached' })
    await close()
  })

  test('Fading: consolidate, and look a week ahead', async () => {
    const { page, close } = await open()
    await reach(page, 'Fading')
    await tabTo(page, page.getByRole('button', { name: 'Consolidate now' }))
    await page.keyboard.press('Enter')
    await page.getByText(/^Done: /).waitFor()
    await tabTo(page, page.getByLabel('30 days'))
    await page.keyboard.press('ArrowLeft')
    assert.equal(await page.getByLabel('7 days').isChecked(), true)
    await close()
  })

  test('Connect & usage: choose a program, and show the key', async () => {
    const { page, close } = await open()
    await reach(page, 'Connect & usage')
    await tabTo(page, page.getByLabel('Show the key'))
    await page.keyboard.press('Space')
    await tabTo(page, page.locator('.program :checked'))
    const codex = page.getByRole('radio', { name: /^Codex/ })
    for (let presses = 0; presses < 10 && !(await codex.isChecked()); presses++)
      await page.keyboard.press('ArrowDown')
    assert.ok((await page.getByLabel(/config\.toml/).textContent())?.includes(service.key))
    await close()
  })
})

describe('for everybody', () => {
  before(() => client.remember(sister))
  const places = [...screens, 'why?q=Where%20does%20my%20sister%20work%3F', 'graph?entity=Maria']

  for (const [colours, size] of [
    ['light', 'desktop'],
    ['dark', 'phone'],
  ] as const)
    test(`axe finds nothing on any screen: ${colours}, ${size}`, async () => {
      const { page, close } = await openPage(browser, service, { colours, size })
      for (const place of places) {
        await visit(page, service, place)
        if (place === 'try') {
          await page.getByRole('button', { name: 'I have moved to Berlin.' }).click()
          await page.getByText('nothing is stored yet').waitFor()
          await page.getByRole('button', { name: 'Where do I live?' }).click()
          await page.locator('.recalled').waitFor()
          for (const code of await page.getByText('As code').all()) await code.click()
        }
        await assertAccessible(page, place)
        await assertFits(page, place)
      }
      const [text] = (await client.remember('Axe looks at this one.')).ids ?? []
      await visit(page, service, `memories/${text}`)
      await page.getByRole('heading', { name: 'Versions' }).waitFor()
      await assertAccessible(page, 'one memory')
      await page.getByRole('button', { name: 'Forget' }).click()
      await page.getByText('would go, for good').waitFor()
      await assertAccessible(page, 'forget')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('API key').waitFor()
      await assertAccessible(page, 'sign-in')
      await assertFits(page, 'sign-in')
      await close()
    })

  test('nothing is stored beside the key of this tab and the colours', async () => {
    const { page, close } = await openPage(browser, service)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: /^Colours/ }).click()
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), ['memoryd-theme'])
    assert.equal(await page.evaluate(() => document.cookie), '')
    await close()
  })
})

describe('when things are not well', () => {
  test('a key that was revoked leads back to the sign-in', async () => {
    const { page, errors, close } = await openPage(browser, service, { key: 'revoked' })
    await page.goto(`${service.address}/console#/memories`)
    await page.reload()
    await page.getByLabel('API key').waitFor()
    assert.match(errors.splice(0).join(), /401/)
    await close()
  })

  test('a service that is gone, one that is loading and a store that is down are told', async () => {
    const { page, errors, close } = await openPage(browser, service)
    const well = {
      ...{ ready: true, models_loaded: true, models: 'loaded', version: '1', mode: 'server' },
      ...{ neo4j: 'connected', redis: 'connected', qdrant: 'connected' },
    }
    for (const [health, told] of [
      [{ ...well, ready: false, models: 'loading' }, 'loading its models'],
      [{ ...well, ready: false, qdrant: 'error: gone' }, 'qdrant cannot be reached'],
      [null, 'memoryd does not answer'],
    ] as const) {
      await page.route('**/brain/health', (route) =>
        health === null ? route.abort() : route.fulfill({ json: health }),
      )
      await page.reload()
      await page.locator('.condition').getByText(told).waitFor()
      await page.unroute('**/brain/health')
    }
    assert.match(errors.splice(0).join(), /ERR_FAILED/)
    await page.route('**/brain/retrieve', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-degraded': 'qdrant' } })
    })
    await page.getByRole('button', { name: 'Where do I live?' }).click()
    await page.locator('.condition').getByText('qdrant did not answer').waitFor()
    await page.route('**/brain/retrieve', (route) =>
      route.fulfill({ status: 500, json: { detail: 'It broke.' } }),
    )
    await page.getByRole('button', { name: 'What can I not eat?' }).click()
    await page.getByRole('alert').getByText('It broke.').waitFor()
    await page.route('**/brain/retrieve', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '30' },
        json: { detail: 'Too many requests.' },
      }),
    )
    await page.getByRole('button', { name: 'Where do I live?' }).click()
    await page.locator('.condition').getByText('Too many requests.').waitFor()
    assert.match(errors.splice(0).join(), /500.*429/)
    await close()
  })
})

test('a persona can be chosen from those of the newest texts, and typed while they come', async () => {
  await client.remember({ text: 'The printer is on floor 3.', persona: 'office' })
  await client.remember({ text: 'The kettle is on floor 2.' })
  for (const [screen, more] of [
    ['try', 'Who says it, and for whom'],
    ['memories', 'More filters'],
    ['graph', null],
    ['fading', null],
  ] as const) {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, screen)
    if (more !== null) await page.getByText(more).click()
    const listed = page.waitForResponse('**/brain/memories?type=episodic&limit=100')
    const field = page.getByLabel('Persona')
    await field.pressSequentially('of')
    await listed
    await page.locator('datalist option[value=office]').waitFor({ state: 'attached' })
    assert.equal(await field.inputValue(), 'of', screen)
    assert.equal(await page.locator('datalist option[value=shared]').count(), 1, screen)
    await close()
  }
})

describe('a hundred hostile texts', () => {
  const texts = hostileTexts()
  const asPersona = {
    persona: '<b onclick=alert(1)>&"\'</b>',
    session_id: `"><img src=x onerror=alert(1)>${'s'.repeat(90)}`,
  }

  before(async () => {
    const items = texts.map((text) => ({
      text,
      metadata: { note: [...text].slice(0, 200).join('') },
      ...asPersona,
    }))
    const replies = await client.rememberAll(items, { batchSize: 25, timeout: 120_000 })
    assert.equal(
      replies.reduce((sum, { succeeded }) => sum + succeeded, 0),
      100,
    )
  })

  for (const size of Object.keys(sizes) as (keyof typeof sizes)[])
    test(`run nothing and break no layout: ${size}`, async () => {
      const { page, close } = await openPage(browser, service, { size })
      const check = async (where: string) => {
        await assertFits(page, where)
        assert.equal(await page.evaluate(() => 'ran' in window), false, where)
        assert.equal(await page.locator('main script, main iframe, main img, main object').count(), 0, where)
      }
      await visit(page, service, `memories?persona=${encodeURIComponent(asPersona.persona)}&type=episodic`)
      for (let number = 1; ; number++) {
        await page.getByText(`Page ${number}`, { exact: true }).waitFor()
        await page.locator('.outcome[aria-busy=false]').waitFor()
        await check(`memories, page ${number}`)
        const older = page.getByRole('button', { name: 'Older' })
        if (await older.isDisabled()) break
        await older.click()
      }
      const stored: string[] = []
      for await (const { id, fact } of client.memories.list({ persona: asPersona.persona, limit: 100 })) {
        const isWorst = fact.length > 2_000 || fact.includes('<')
        if (isWorst && stored.length < 25) stored.push(id)
      }
      for (const id of stored) {
        await visit(page, service, `memories/${id}`)
        await page.getByRole('heading', { name: 'Versions' }).waitFor()
        await check(`memory ${id}`)
      }
      for (const text of [texts[0], texts[1], texts[8], texts[39], texts[47]]) {
        await visit(page, service, 'try')
        await page.getByLabel('A sentence or a few').fill(text ?? '')
        await page.getByRole('button', { name: 'Only look' }).click()
        await page.getByText('nothing is stored yet').waitFor()
        await check('try')
      }
      await page.route('**/brain/extract', (route) => route.fulfill({ json: manyFacts() }))
      await page.getByRole('button', { name: 'Only look' }).click()
      await page.getByText('2,000 facts').waitFor()
      await page.getByRole('button', { name: '50 more of 1,950' }).click()
      assert.equal(await page.locator('.fact').count(), 100)
      await check('2,000 facts')
      for (const query of ['What is my dog called?', 'script', 'Who works at Bosch3?', texts[1] ?? '']) {
        await visit(page, service, 'try')
        await page.getByLabel('A question').fill(query)
        await page.keyboard.press('Enter')
        await page.locator('.recalled').waitFor()
        await check(`ask ${query}`)
        await visit(page, service, `why?q=${encodeURIComponent(query)}`)
        await page.getByRole('heading', { name: 'What came back' }).waitFor()
        for (const part of await page.locator('.opened-summary').all()) await part.click()
        await check(`why ${query}`)
      }
      const { entities } = await client.entities({ limit: 100 })
      const worst = entities.filter(({ name }) => /[<>|]/.test(name) || name.length > 60).slice(0, 4)
      assert.ok(worst.length > 0)
      const graphs = worst.map(({ id }) => `graph?entity=${id}`)
      for (const place of ['graph', 'graph?entity=user', ...graphs, 'fading', 'connect']) {
        await visit(page, service, place)
        await check(place)
      }
      await close()
    })
})
