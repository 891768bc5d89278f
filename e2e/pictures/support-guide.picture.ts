/** The pictures of docs/guides/support.md, from the troubles of `npm run demo -- --troubles`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { startDemoReceiver } from '../../scripts/demo-receiver.ts'
import { seedTroubles, TROUBLES_SETTINGS } from '../../scripts/demo-troubles.ts'
import { freePort } from '../../scripts/free-port.ts'
import { expect, test as base } from '../fixtures/console-test.ts'
import { secret } from '../fixtures/keys.ts'
import { startStack } from '../fixtures/stack.ts'

const FOLDER = 'docs/images/console'
const MOST_BYTES = 60_000

const test = base.extend({
  stack: [
    async ({}, use) => {
      const receiver = await startDemoReceiver(await freePort(), null)
      const stack = await startStack({
        cashier: {
          ...TROUBLES_SETTINGS,
          MERCHANT_WEBHOOK_URL: receiver.url,
          MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from(secret()).toString('base64')}`,
        },
      })
      await seedTroubles({
        cashierUrl: stack.cashier.url,
        databaseFile: join(stack.folder, 'cashier.db'),
        merchantApiKey: stack.cashier.env['MERCHANT_API_KEY'] ?? '',
        refused: receiver.refused,
        control: (...call) => stack.sandbox.control.call(...call),
      })
      await use(stack)
      await stack.stop()
      await receiver.close()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

/** Takes a WebP of the element, of at most this height from its top. */
async function take(page: Page, name: string, element: Locator, height: number): Promise<void> {
  const box = await element.boundingBox()
  if (box === null) throw new Error(`nothing to see for ${name}`)
  const browser = await page.context().newCDPSession(page)
  const { data } = await browser.send('Page.captureScreenshot', {
    ...{ format: 'webp', quality: 75 },
    clip: { ...box, height: Math.min(height, box.height), scale: 1 },
  })
  const picture = Buffer.from(data, 'base64')
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.webp`), picture)
  expect(picture.length, name).toBeLessThan(MOST_BYTES)
}

// So high that nothing of a picture is below the edge.
test.use({
  viewport: { width: 1080, height: 1600 },
  deviceScaleFactor: 1.25,
  contextOptions: { reducedMotion: 'reduce' },
})

test('pictures: the support guide', async ({ page, signIn }) => {
  test.slow()
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  /** Opens the row of this user in a list. */
  const open = async (list: string, user: string): Promise<void> => {
    await page.goto(`/operate/${list}`)
    await main.getByRole('row').filter({ hasText: user }).getByRole('link').first().click()
  }

  await signIn('admin', page, 'Ada')
  await expect(main.getByText('Overdue at the gateway')).toBeVisible()
  await expect(main.getByText('Webhooks were refused')).toBeVisible()
  await take(page, 'exceptions', page.locator('body'), 800)

  await open('withdrawals?status=awaiting_approval', 'overdue-withdrawal')
  await expect(main.getByRole('heading', { name: 'What the sources say' })).toBeVisible()
  await take(page, 'withdrawal', main, 900)

  await open('quarantine?reason=list_conflict', 'list-conflict')
  await main.locator('a[href*="/operate/transactions/"]').first().click()
  await expect(main.getByRole('heading', { name: 'What the sources say' })).toBeVisible()
  await take(page, 'deposit', main, 900)

  await open('withdrawals?status=pending_authorization', 'pending-approval')
  await main.getByRole('button', { name: 'Decline' }).click()
  await dialog.getByLabel('Words for the user').fill('Please confirm your e-mail address first.')
  await dialog.getByLabel('Reason').fill('New account, no deposit before.')
  await expect(dialog.getByText('The user will read')).toBeVisible()
  await take(page, 'decision', dialog, 900)

  await open('withdrawals?status=unknown', 'unknown-withdrawal')
  await expect(main.getByText('For “not sent”')).toBeVisible()
  await take(page, 'uncertain', main, 552)

  await open('payouts?owner=none', 'open-payout')
  await expect(main.getByRole('button', { name: 'Give it this payout' })).toBeVisible()
  await take(page, 'payout', main, 900)

  await page.goto('/operate/quarantine')
  await expect(main.getByRole('link', { name: 'Overdue' }).first()).toBeVisible()
  await take(page, 'quarantine', main, 760)

  await open('deliveries?state=dead', 'dead-delivery')
  await expect(main.getByText('Attempt 2')).toBeVisible()
  await take(page, 'delivery', main, 1240)

  await page.goto('/operate/users/dead-delivery')
  await main.getByRole('button', { name: 'Erase' }).click()
  await dialog.getByLabel('Type the reference').fill('dead-delivery')
  await dialog.getByLabel('Reason').fill('Asked by e-mail on 27 November.')
  await take(page, 'erasure', dialog, 900)
})
