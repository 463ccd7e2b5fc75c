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
