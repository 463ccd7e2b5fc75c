import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import type { RunningService } from './service.ts'

export const sizes = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 360, height: 740 },
} as const

export const screens = ['try', 'why', 'memories', 'graph', 'fading', 'connect'] as const

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
}

export interface OpenOptions {
  readonly size?: keyof typeof sizes
  readonly colours?: 'light' | 'dark'
  /** Null: nobody is signed in. */
  readonly key?: string | null
}

export interface OpenPage {
  readonly page: Page
  /** Errors of the page that the test expects are taken out by it. */
  readonly errors: string[]
  /** Closes it; fails when anything was said on the console, ran that should not, or was asked of another host. */
  close(): Promise<void>
}

/** A page of its own. The network ends at the service: whatever is asked of another host fails the test. */
export async function openPage(
  browser: Browser,
  service: RunningService,
  options: OpenOptions = {},
): Promise<OpenPage> {
  const { size = 'desktop', colours = 'light', key = service.key } = options
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: colours,
    reducedMotion: 'reduce',
  })
  const errors: string[] = []
  await context.route('**/*', (route) => {
    const address = route.request().url()
    if (address.startsWith(`${service.address}/`)) return route.continue()
    errors.push(`asked for ${address}`)
    return route.abort()
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  if (key !== null) {
    await page.goto(`${service.address}/console`)
    await page.evaluate((value) => sessionStorage.setItem('memoryd-key', value), key)
    await page.reload()
  }
  return {
    page,
    errors,
    close: async () => {
      await context.close()
      assert.deepEqual(errors, [])
    },
  }
}

/** Goes to a screen and waits until it shows something. */
export async function visit(page: Page, service: RunningService, place: string): Promise<void> {
  await page.goto(`${service.address}/console#/${place}`)
  // The same document with another fragment loads nothing.
  await page.locator('main h1').waitFor()
  await page.locator('main .loading').waitFor({ state: 'detached' })
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator, most = 80): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not reach ${target}`)
}

export async function assertFits(page: Page, where: string): Promise<void> {
  const [width, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  assert.ok(Number(width) <= Number(shown), `${where}: ${width} wide in a window of ${shown}`)
}

export async function assertAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const told = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
  assert.deepEqual(told, [], where)
}
