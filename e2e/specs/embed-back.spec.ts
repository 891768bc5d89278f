/** A merchant's page that is left for another origin, and restored by the back button from the back/forward cache. */
import type { Page } from 'playwright/test'
import { currencyOf, fund } from '../fixtures/money.ts'
import type { Stack, StackOptions } from '../fixtures/stack.ts'
import { expect, test as base, type TestFixtures } from '../fixtures/test.ts'
import { openForeignSite, type ForeignSite } from '../views/foreign-site.ts'
import { HostPage } from '../views/host-page.ts'

interface Sites {
  readonly first: ForeignSite
  readonly second: ForeignSite
}

/** Two sites whose pages a browser may cache; the demo shop's responses have no-store. */
const test = base.extend<object, { sites: Sites; stackOptions: StackOptions }>({
  sites: [
    async ({}, use) => {
      await using first = await openForeignSite()
      await using second = await openForeignSite()
      await use({ first, second })
    },
    { scope: 'worker' },
  ],
  stackOptions: [
    async ({ sites }, use) => {
      const origins = [sites.first, sites.second].map(({ url }) => new URL(url).origin)
      await use({ cashier: { EMBED_ORIGINS: origins.join() } })
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    { scope: 'worker' },
  ],
})

// One stack for both tests, because starting a stack costs more than these tests.
test.describe.configure({ mode: 'default' })

/**
 * The frame reports its content to the page around it, because a driver does not see the frames of a restored page.
 *
 * Opens a merchant's page with a cashier and leaves it for another site. `sessions` has the created sessions, oldest
 * first.
 */
async function leave(
  page: Page,
  { stack, sites, createSession }: { stack: Stack; sites: Sites } & Pick<TestFixtures, 'createSession'>,
) {
  await page.addInitScript(() => {
    window.addEventListener('pageshow', ({ persisted }) => {
      document.documentElement.dataset['shown'] = persisted ? 'again' : 'first'
    })
    if (window.parent !== window) {
      const tell = (): void => {
        const balance = document.querySelector<HTMLElement>('[data-testid="balance"]')?.innerText
        if (balance !== undefined) window.parent.postMessage({ balance }, '*')
      }
      new MutationObserver(tell).observe(document, { subtree: true, childList: true, characterData: true })
      // Like a browser that silently ends the connections of a cached page.
      const streams: EventSource[] = []
      window.EventSource = class extends EventSource {
        constructor(url: string | URL, init?: EventSourceInit) {
          super(url, init)
          streams.push(this)
        }
      }
      window.addEventListener('pagehide', () => streams.forEach((stream) => stream.close()))
    } else
      window.addEventListener('message', ({ data }: MessageEvent<{ balance?: string }>) => {
        if (data.balance !== undefined) document.documentElement.dataset['balance'] = data.balance
      })
  })
  const currency = await currencyOf(stack, 'USDT', 'Tron')
  const sessions: string[] = []
  const host = await HostPage.open({
    page,
    publish: (html) => {
      sites.first.show(html)
      sites.second.show(html)
      return Promise.resolve(sites.first.url)
    },
    cashierUrl: stack.cashier.url,
    token: async () => {
      const { session_id, launch_token } = await createSession({ currency_ids: [currency] })
      sessions.push(session_id)
      return launch_token
    },
  })
  const cashier = host.cashier('cashier')
  await host.mount('cashier')
  await host.ready('cashier')
  await expect(cashier.getByText(/^Live/)).toBeVisible()
  await page.goto(sites.second.url)
  return { host, cashier, sessions }
}

async function comeBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-shown', 'again')
}

test(
  'left for another origin and shown again, the page catches up',
  { tag: '@whole-browser' },
  async ({ page, stack, user, sites, createSession }) => {
    const { host, cashier } = await leave(page, { stack, sites, createSession })
    await host.mount('cashier')
    await host.ready('cashier')
    await fund(stack, user, '5')
    await expect(cashier.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Credited')

    await comeBack(page)
    await expect(page.locator('html')).toHaveAttribute('data-balance', /\b5 USDT/)
    // The frame's page was cached too: a new stream continues where the old one ended.
    await expect
      .poll(async () => (await host.events('cashier')).at(-1))
      .toMatchObject({ type: 'transaction', status: 'succeeded' })
  },
)

test(
  'if the session has ended meanwhile, a new session starts',
  { tag: '@whole-browser' },
  async ({ page, stack, sites, createSession, consoleFaults }) => {
    const { host, cashier, sessions } = await leave(page, { stack, sites, createSession })
    await stack.cashier.api.endSession(sessions[0] ?? '')
    await comeBack(page)
    await expect.poll(() => host.types('cashier')).toEqual(['ready', 'session_ended', 'ready'])
    expect(sessions).toHaveLength(2)
    await expect(cashier.getByText(/^Live/)).toBeVisible()
    consoleFaults.length = 0
  },
)
