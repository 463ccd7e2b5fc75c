// What the screens show is what is so: while something is under way, after going somewhere else, after an outage.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Memoryd } from '../../clients/typescript/src/index.ts'
import { assertAccessible, launch, openPage, visit } from './browser.ts'
import { type RunningService, startService } from './service.ts'

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

describe('forget', () => {
  const begin = async (page: Page) => {
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByText('would go, for good').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('button', { name: 'Now' }).click()
  }

  test('what is being removed cannot be kept, and is gone from the list', async () => {
    await client.remember('The umbrella stands behind the door.')
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'memories?text=umbrella')
    await page.getByLabel('Select this page').check()
    const held = Promise.withResolvers<void>()
    await page.route('**/brain/forget', async (route) => {
      if (route.request().postDataJSON().dry_run !== true) await held.promise
      await route.continue()
    })
    await begin(page)
    await page.getByText('can no longer be kept').waitFor()
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('dialog').isVisible(), true, 'Escape does not close it')
    assert.equal(await page.getByRole('dialog').locator('button:enabled').count(), 0)
    held.resolve()
    await page.getByText('Counted again: 0').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Nothing matches these filters').waitFor()
    await close()
  })

  test('what was removed while the answer was lost is not shown any more', async () => {
    await client.remember('The ladder is in the shed.')
    const { page, errors, close } = await openPage(browser, service)
    await visit(page, service, 'memories?text=ladder')
    await page.getByLabel('Select this page').check()
    await page.route('**/brain/forget', async (route) => {
      if (route.request().postDataJSON().dry_run === true) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await begin(page)
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('Nothing matches these filters').waitFor()
    assert.match(errors.splice(0).join(), /ERR_FAILED/)
    await close()
  })
})

describe('Why', () => {
  before(() => client.remember('My sister Maria lives in Porto and works at Siemens.'))

  for (const colours of ['light', 'dark'] as const)
    test(`the numbers of a bar are reached by keyboard where they are cut off: ${colours}`, async () => {
      const { page, close } = await openPage(browser, service, { colours, size: 'phone' })
      await visit(page, service, 'why?q=Where%20does%20my%20sister%20work%3F')
      for (const bar of await page.locator('.bar summary:visible').all()) await bar.click()
      await page.locator('.bar table').first().waitFor()
      await assertAccessible(page, 'bars')
      await close()
    })

  test('explains what was asked: the same persona and as many steps', async () => {
    await client.remember({ text: 'My guide in Rome is Paolo.', persona: 'travel' })
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'try')
    await page.getByText('Who says it, and for whom').click()
    await page.getByLabel('Persona').fill('travel')
    await page.getByLabel('Follow facts').selectOption('3')
    await page.getByLabel('A question').fill('Who is my guide?')
    await page.keyboard.press('Enter')
    await page.locator('.recalled .result').first().waitFor()
    const results = await page.locator('.recalled .result-words').allTextContents()
    const explained = page.waitForRequest('**/brain/retrieve')
    await page.getByRole('link', { name: 'Why these?' }).click()
    const { persona, max_hops } = (await explained).postDataJSON()
    assert.deepEqual({ persona, max_hops }, { persona: 'travel', max_hops: 3 })
    await page.getByRole('heading', { name: 'What came back' }).waitFor()
    assert.deepEqual(await page.locator('.opened-head .words').allTextContents(), results)
    assert.equal(await page.getByLabel('Persona').inputValue(), 'travel', 'it is shown')
    assert.equal(await page.getByLabel('Follow facts').inputValue(), '3')
    // One memory is explained within the same question.
    await page.getByLabel('Words of the memory').fill('guide')
    const looked = page.waitForRequest('**/brain/retrieve')
    await page.locator('.found-one').first().click()
    assert.equal((await looked).postDataJSON().persona, 'travel')
    // A persona that counts is not folded away.
    await page.getByRole('link', { name: 'Try it' }).click()
    assert.equal(await page.getByLabel('Persona').isVisible(), true)
    await close()
  })

  test('without a question nothing of the last one stays', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'why?q=Where%20does%20my%20sister%20work%3F')
    await page.getByRole('heading', { name: 'What came back' }).waitFor()
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Why' }).click()
    await page.getByText('Ask a question to open it up').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'What came back' }).count(), 0)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('heading', { name: 'What came back' }).waitFor()
    await close()
  })
})

describe('Memories', () => {
  test('filters that count stay unfolded, and so do those one is typing in', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'memories')
    await page.getByText('More filters').click()
    const persona = page.getByLabel('Persona')
    await persona.pressSequentially('to')
    await page.getByLabel('Kind').selectOption('episodic')
    assert.equal(await persona.isVisible(), true)
    await persona.focus()
    for (let letters = 0; letters < 2; letters++) await page.keyboard.press('Backspace')
    assert.equal(await persona.inputValue(), '')
    assert.equal(await persona.evaluate((field) => field === document.activeElement), true)
    await visit(page, service, 'memories?type=episodic&persona=work')
    assert.equal(await persona.isVisible(), true)
    await close()
  })

  test('Back and the way to the list lead to the page, the filters and the memory one left', async () => {
    const items = Array.from({ length: 60 }, (_, at) => ({ text: `Box ${at} is full.`, persona: 'attic' }))
    await client.rememberAll(items)
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'memories?persona=attic&type=episodic')
    for (const number of [2, 3]) {
      await page.getByRole('button', { name: 'Older' }).click()
      await page.getByText(`Page ${number}`, { exact: true }).waitFor()
    }
    const row = page.locator('.memory-words').last()
    const words = await row.textContent()
    await row.click()
    await page.getByRole('heading', { name: 'Versions' }).waitFor()
    await page.goBack()
    await page.getByText('Page 3', { exact: true }).waitFor()
    await page
      .locator('.memory-words:focus')
      .getByText(words ?? '')
      .waitFor()
    assert.equal(await page.getByLabel('Persona').inputValue(), 'attic')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Memories as you left them' }).click()
    await page.getByText('Page 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByText('Page 2', { exact: true }).waitFor()
    // Who came by the address knows no way but to the first page.
    await page.reload()
    await page.getByText('Page 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Newest' }).click()
    await page.getByText('Page 1', { exact: true }).waitFor()
    await close()
  })
})

describe('Try it', () => {
  test('Back shows the last answer again, but not to somebody else', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'try')
    await page.getByRole('button', { name: 'Where do I live?' }).click()
    await page.getByRole('link', { name: 'Why these?' }).click()
    await page.getByRole('heading', { name: 'What came back' }).waitFor()
    await page.goBack()
    await page.locator('.recalled').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
    assert.equal(await page.locator('.recalled').count(), 0)
    await close()
  })

  test('a text that was changed is not taken for the one that was looked at', async () => {
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'try')
    await page.getByRole('button', { name: 'I have moved to Berlin.' }).click()
    await page.getByText('nothing is stored yet').waitFor()
    assert.equal(await page.getByText('changed since it was looked at').count(), 0)
    await page.getByLabel('A sentence or a few').fill('I have moved to Rome.')
    await page.getByText('changed since it was looked at').waitFor()
    await close()
  })
})

describe('Graph', () => {
  test('a persona that knows nothing is told, and the way out of it', async () => {
    await client.remember({ text: 'Otto lives in Graz.', persona: 'attic' })
    const { page, close } = await openPage(browser, service)
    await visit(page, service, 'graph?entity=Otto&persona=nobody')
    await page.getByText('There are no facts for the persona “nobody”').waitFor()
    await page.getByRole('link', { name: 'Look in all personas' }).click()
    await page.locator('canvas').waitFor()
    await close()
  })

  test('Escape and a click beside it close the relations', async () => {
    const { page, close } = await openPage(browser, service, { size: 'phone' })
    await visit(page, service, 'graph')
    const [summary, list] = [page.locator('.relations > summary'), page.locator('.relation-list')]
    await summary.click()
    await list.getByRole('button', { name: 'None' }).focus()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    assert.equal(await summary.evaluate((element) => element === document.activeElement), true)
    await summary.click()
    await list.waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await list.waitFor({ state: 'hidden' })
    await close()
  })
})

test('what could not be loaded comes by itself when memoryd answers again', async () => {
  const { page, errors, close } = await openPage(browser, service)
  await page.route('**/brain/**', (route) => route.abort())
  for (const place of ['memories', 'graph', 'fading', 'connect']) {
    await page.goto(`${service.address}/console#/${place}`)
    await page.reload()
    await page.locator('.condition').getByText('keeps trying').waitFor()
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    await page.unroute('**/brain/**')
    await page.locator('main .problem').first().waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('alert').count(), 0, place)
    await page.route('**/brain/**', (route) => route.abort())
  }
  assert.match(errors.splice(0).join(), /ERR_FAILED/)
  await close()
})

describe('signing in', () => {
  test('a key with signs that no key has is told as that', async () => {
    const { page, close } = await openPage(browser, service, { key: null })
    await page.goto(`${service.address}/console`)
    for (const [key, sign] of [
      ['“mem_abc”', '“'],
      ['schlüssel€', '€'],
    ] as const) {
      await page.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      await page.getByRole('alert').getByText(`No key and no token has the sign “${sign}”`).waitFor()
    }
    await close()
  })

  test('who is led back to it is told why', async () => {
    const { page, errors, close } = await openPage(browser, service, { key: 'revoked' })
    await page.goto(`${service.address}/console#/memories`)
    await page.getByText('The key of this tab is not valid').waitFor()
    await page.getByLabel('API key').fill(service.key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    assert.equal(await page.getByText('The key of this tab is not valid').count(), 0)
    assert.match(errors.splice(0).join(), /401/)
    await close()
  })
})

test('each box of code has a language of its own', async () => {
  const { page, close } = await openPage(browser, service)
  await visit(page, service, 'try')
  await page.getByRole('button', { name: 'I have moved to Berlin.' }).click()
  await page.getByText('nothing is stored yet').waitFor()
  await page.getByRole('button', { name: 'Where do I live?' }).click()
  await page.locator('.recalled').waitFor()
  for (const code of await page.getByText('As code').all()) await code.click()
  const chosen = () => page.locator('.calls label:has(:checked)').allTextContents()
  assert.deepEqual(await chosen(), ['curl', 'curl'])
  await page.locator('.calls').first().getByLabel('Python').check()
  assert.deepEqual(await chosen(), ['Python', 'curl'])
  await close()
})
