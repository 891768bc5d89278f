import { expect, test } from '../fixtures/test.ts'
import { openForeignSite } from '../views/foreign-site.ts'
import { HostPage } from '../views/host-page.ts'

/** Messages of an attacker who has read the protocol and even knows the channel. */
const forgedReports = (channel: string) =>
  ['ready', 'close', 'session_ended', 'token_wanted', 'fresh_token_wanted']
    .map((type): object => ({ type }))
    .concat({ type: 'resize', height: 9 }, { type: 'error', code: 'failed', message: 'forged' })
    .map((message) => ({ cashier: 1, channel, ...message }))

const forgedCommands = (channel: string) => [
  { cashier: 1, channel, type: 'update', theme: 'dark', locale: 'ar' },
  { cashier: 1, channel, type: 'token', token: 'stolen' },
  { cashier: 1, channel, type: 'fresh_token', token: 'stolen' },
]

test('messages from another origin or another window do nothing', async ({ page, stack, createSession }) => {
  let asked = 0
  const host = await HostPage.onMerchant(page, stack, {
    targets: ['cashier', 'other'],
    token: async () => {
      asked += 1
      return (await createSession()).launch_token
    },
  })
  await host.mount('cashier', { theme: 'light', locale: 'en' })
  const html = host.cashier('cashier').locator('html')
  await host.ready('cashier')
  const name = (await page.locator('#cashier iframe').getAttribute('name')) ?? ''
  const { channel } = JSON.parse(name) as { channel: string }

  // A frame of a foreign origin, and a frame of the cashier's origin other than the mounted one.
  await using foreign = await openForeignSite()
  for (const address of [foreign.url, `${stack.cashier.url}/embed`]) {
    await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.onload = resolve
          frame.src = src
          document.querySelector('#other')?.replaceChildren(frame)
        }),
      address,
    )
    const stranger = page.frames().find((frame) => frame.url() === address && frame.parentFrame() === page.mainFrame())
    expect(stranger).toBeDefined()
    await stranger?.evaluate(
      ([reports, commands]) => {
        for (const report of reports) window.parent.postMessage(report, '*')
        for (const command of commands) window.parent.frames[0]?.postMessage(command, '*')
      },
      [forgedReports(channel), forgedCommands(channel)] as const,
    )
  }
  // The merchant's own window posts to itself, and to the frame on another channel.
  await page.evaluate(
    ([reports, commands]) => {
      for (const report of reports) window.postMessage(report, '*')
      for (const command of commands) window.frames[0]?.postMessage({ ...command, channel: 'f'.repeat(32) }, '*')
    },
    [forgedReports(channel), forgedCommands(channel)] as const,
  )

  // A valid command comes after all of them.
  await host.update('cashier', { locale: 'de' })
  await expect(html).toHaveAttribute('lang', 'de')
  await expect(html).toHaveAttribute('data-theme', 'light')
  expect(await host.types('cashier')).toEqual(['ready'])
  expect((await page.locator('#cashier iframe').boundingBox())?.height).toBeGreaterThan(100)
  expect(asked).toBe(1)
})

test('/embed requests a token only from a parent of a known origin', async ({ page, stack, createSession }) => {
  const { launch_token } = await createSession()
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url())
  })
  // At top level, with a window name that claims an allowed host.
  await page.addInitScript((origin) => {
    window.name = JSON.stringify({ cashier: 1, channel: 'a'.repeat(32), origin })
  }, stack.merchant.url)
  await page.goto(`${stack.cashier.url}/embed`)
  await expect(page.getByRole('status')).toHaveText('This page works only inside a merchant’s site.')
  await page.evaluate(
    (token) => window.postMessage({ cashier: 1, channel: 'a'.repeat(32), type: 'token', token }, '*'),
    launch_token,
  )
  await page.waitForTimeout(300)
  expect(posts).toEqual([])
})
