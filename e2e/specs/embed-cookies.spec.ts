import { once } from 'node:events'
import { createServer } from 'node:http'
import { chromiumArgs } from '../../scripts/chromium.ts'
import { expect, test } from '../fixtures/test.ts'
import { HostPage } from '../views/host-page.ts'

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...chromiumArgs, '--test-third-party-cookie-phaseout'] }),
})

test(
  'with third-party cookies blocked the cashier works with its partitioned cookie',
  { tag: '@whole-browser' },
  async ({ page, stack, createSession, context }) => {
    // Check of the browser: a server on the cashier's site sets a plain and a partitioned cookie, and only the latter
    // is kept.
    const control = createServer((request, response) => {
      const kinds = ['plain=1; Secure; SameSite=None', 'apart=1; Secure; SameSite=None; Partitioned']
      if (request.url === '/set') response.writeHead(302, { location: '/seen', 'set-cookie': kinds }).end()
      else response.end(request.headers.cookie ?? 'none')
    })
    await once(control.listen(0, 'localhost'), 'listening')
    const address = control.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0

    const host = await HostPage.onMerchant(page, stack, {
      targets: ['cashier', 'control'],
      token: async () => (await createSession()).launch_token,
    })
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.querySelector('#control')?.append(frame)
    }, `http://localhost:${port}/set`)
    await expect(page.frameLocator('#control iframe').locator('body')).toHaveText('apart=1')
    control.closeAllConnections()
    control.close()

    await host.mount('cashier')
    await host.ready('cashier')

    await expect(host.cashier('cashier').getByText(/^Live/)).toBeVisible()
    const ours = (await context.cookies()).filter(({ name }) => name.startsWith('__Host-cashier-'))
    expect(ours).toHaveLength(1)
    expect(ours[0]).toMatchObject({ httpOnly: true, secure: true, sameSite: 'None', path: '/' })
    expect(ours[0]?.partitionKey).toBeTruthy()
  },
)
