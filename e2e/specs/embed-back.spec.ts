/** A merchant's page that is left for another origin, and shown again by the browser's back button as it was. */
import { fund } from '../fixtures/money.ts'
import type { StackOptions } from '../fixtures/stack.ts'
import { expect, test as base } from '../fixtures/test.ts'
import { openForeignSite, type ForeignSite } from '../views/foreign-site.ts'
import { HostPage } from '../views/host-page.ts'

interface Sites {
  readonly first: ForeignSite
  readonly second: ForeignSite
}

/** Two sites whose pages a browser may keep aside: the demo shop's responses say no-store. */
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

test(
  'left for another origin and shown again, the page catches up',
  { tag: '@whole-browser' },
  async ({ page, stack, user, sites, createSession }) => {
    await page.addInitScript(() =>
      window.addEventListener('pageshow', ({ persisted }) => {
        document.documentElement.dataset['shown'] = persisted ? 'again' : 'first'
      }),
    )
    const host = await HostPage.open({
      page,
      publish: (html) => {
        sites.first.show(html)
        sites.second.show(html)
        return Promise.resolve(sites.first.url)
      },
      cashierUrl: stack.cashier.url,
      token: async () => (await createSession()).launch_token,
    })
    const cashier = host.cashier('cashier')
    await host.mount('cashier')
    await host.ready('cashier')
    await expect(cashier.getByText(/^Live/)).toBeVisible()

    await page.goto(sites.second.url)
    await host.mount('cashier')
    await host.ready('cashier')
    await fund(stack, user, '5')
    await expect(cashier.getByTestId('live-deposits').getByTestId('deposit')).toContainText('Credited')

    await page.goBack({ waitUntil: 'commit' })
    await expect(page.locator('html')).toHaveAttribute('data-shown', 'again')
    // The frame's page was kept too: its stream goes on where it was.
    await expect
      .poll(async () => (await host.events('cashier')).at(-1))
      .toMatchObject({ type: 'transaction', status: 'succeeded' })
  },
)
