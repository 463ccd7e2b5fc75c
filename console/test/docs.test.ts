// The API reference in a real browser.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { assertFits, launch, openPage } from './browser.ts'
import { type RunningService, startService } from './service.ts'

let service: RunningService
let browser: Browser
before(async () => {
  ;[service, browser] = await Promise.all([startService(), launch()])
})
after(async () => {
  await browser?.close()
  await service?.stop()
})

for (const width of [360, 1280])
  for (const colours of ['light', 'dark'] as const)
    test(`reads well at ${width} pixels, ${colours}`, async () => {
      const { page, close } = await openPage(browser, service, { colours, key: null })
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${service.address}/docs`)
      await assertFits(page, `/docs at ${width}`)
      // Also inside the page nothing has to be scrolled sideways.
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
          .map(({ outerHTML }) => outerHTML.slice(0, 120)),
      )
      assert.deepEqual(wide, [])
      // The articles are made alike; all of them would take axe a minute.
      const looked = new AxeBuilder({ page }).exclude('article:not(#ingest, #patchMemory, #eraseAccount)')
      const { violations } = await looked.analyze()
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]),
        [],
      )
      await close()
    })

test('the way to a route, on a phone, by clicking alone', async () => {
  const { page, close } = await openPage(browser, service, { size: 'phone', key: null })
  await page.goto(`${service.address}/docs`)
  const link = page
    .getByRole('navigation', { name: 'Routes' })
    .getByRole('link', { name: 'POST /brain/retrieve', exact: true })
  assert.equal(await link.isVisible(), false)
  await page.getByText('All routes').click()
  await link.click()
  const sample = page.locator('#retrieve .sample')
  assert.match((await sample.textContent()) ?? '', /Maria lives in Lisbon/)
  await page.locator('#retrieve h3').waitFor()
  assert.ok(await page.evaluate(() => window.scrollY > 0))
  await close()
})
