/** In the merchant's page, on a phone: typing or pasting a destination, and the questions of the review. */
import type { FrameLocator, Page } from 'playwright/test'
import { BITCOIN_ADDRESS, fund, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test, type TestFixtures } from '../fixtures/test.ts'
import { requestedKeys } from '../fixtures/withdrawal-requests.ts'
import { Cashier } from '../views/cashier.ts'
import { pressUntil } from '../views/scrolled-host.ts'

test.use({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] })

const TRON_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

type Opened = Pick<TestFixtures, 'openCashier' | 'embedded'>

async function openForm({ openCashier, embedded }: Opened, code = 'USDT', network = 'Tron'): Promise<Cashier> {
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick(code, network)
  await cashier.goTo('Withdraw')
  await expect(cashier.withdraw.form()).toBeVisible()
  return cashier
}

const field = (frame: FrameLocator) => frame.getByLabel('To address')
const note = (frame: FrameLocator) => frame.locator('#withdraw-address-note')

/** The ways to enter a text into the field. */
const WAYS: Readonly<Record<string, (page: Page, frame: FrameLocator, text: string) => Promise<unknown>>> = {
  'by the keyboard': async (page, frame, text) => {
    await field(frame).click()
    await page.keyboard.insertText(text)
  },
  'by a paste': async (page, frame, text) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await field(frame).click()
    await page.keyboard.press('ControlOrMeta+V')
  },
  'by the button': async (page, frame, text) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await frame.getByRole('button', { name: 'Paste' }).click()
  },
}

for (const [way, bring] of Object.entries(WAYS))
  test(`an address and a tag in two lines, ${way}: only the address is used, and the tag is named`, async ({
    page,
    stack,
    user,
    openCashier,
    embedded,
  }) => {
    await fund(stack, user, '100')
    const cashier = await openForm({ openCashier, embedded })
    await embedded.getByLabel('Amount').fill('5')
    await bring(page, embedded, ` ${TRON_ADDRESS}\r\n4711`)
    await expect(field(embedded)).toHaveValue(TRON_ADDRESS)
    await expect(note(embedded)).toContainText('Only the address was used. Left out: 4711')
    await expect(note(embedded)).toContainText('This is a valid Tron address.')
    await cashier.withdraw.review()
    expect((await embedded.getByTestId('address').innerText()).replaceAll(/\s/g, '')).toBe(TRON_ADDRESS)
  })

test('hidden characters are removed, and the field says so; an invalid address is not changed further', async ({
  openCashier,
  embedded,
}) => {
  await openForm({ openCashier, embedded })
  const hidden = `${TRON_ADDRESS.slice(0, 8)}\u200b ${TRON_ADDRESS.slice(8)}`
  await field(embedded).fill(hidden)
  await expect(field(embedded)).toHaveValue(TRON_ADDRESS)
  await expect(note(embedded)).toContainText('Spaces or hidden characters were removed.')
  await field(embedded).fill(`${hidden.slice(0, -1)}1`)
  await embedded.getByRole('button', { name: 'Review' }).click()
  await expect(field(embedded)).toHaveValue(`${hidden.slice(0, -1)}1`)
  await expect(note(embedded)).toHaveText('An address has no spaces and no special characters.')
})

test('a payment link gives its address, and its amount if it is for this currency and no amount was typed', async ({
  openCashier,
  embedded,
}) => {
  const cashier = await openForm({ openCashier, embedded }, 'BTC', 'Bitcoin')
  const amount = embedded.getByLabel('Amount')
  const link = `bitcoin:${BITCOIN_ADDRESS}?amount=0.50&label=Shop`
  await field(embedded).fill(link)
  await expect(field(embedded)).toHaveValue(BITCOIN_ADDRESS)
  await expect(amount).toHaveValue('0.5')
  await expect(note(embedded)).toContainText('This address comes from your payment link.')
  await expect(note(embedded)).toContainText('The link asks for 0.5 BTC.')

  await amount.fill('2')
  await field(embedded).fill('')
  await field(embedded).fill(link)
  await expect(field(embedded)).toHaveValue(BITCOIN_ADDRESS)
  await expect(note(embedded)).toContainText('The link asks for 0.5 BTC.')
  await expect(amount).toHaveValue('2')

  await amount.fill('')
  await cashier.pick('USDT', 'Ethereum')
  await field(embedded).fill('ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@137?value=1e18')
  await expect(field(embedded)).toHaveValue('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')
  await expect(note(embedded)).toContainText('The link is not for USDT on Ethereum.')
  await expect(amount).toHaveValue('')
  await field(embedded).fill(link)
  await expect(field(embedded)).toHaveValue(BITCOIN_ADDRESS)
  await expect(note(embedded)).toHaveText('This address is for Bitcoin. You chose Ethereum.')
})

test('for a destination that is almost certainly a mistake, the review asks before it sends', async ({
  page,
  stack,
  user,
  openCashier,
  embedded,
}) => {
  await fund(stack, user, '100')
  const cashier = await openForm({ openCashier, embedded })
  await cashier.goTo('Deposit')
  const own = await cashier.deposit.address()
  await cashier.goTo('Withdraw')
  const requested = requestedKeys(page)
  for (const [address, words] of [
    ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'Nobody owns this address.'],
    [TRON_CONTRACT, 'This is the address of the USDT token itself'],
    [own, 'This is your own deposit address here.'],
  ] as const) {
    await cashier.withdraw.fill('5', address)
    await cashier.withdraw.review()
    await expect(cashier.withdraw.alert()).toContainText(words)
    await cashier.withdraw.send()
    await expect(cashier.withdraw.sendAnyway()).toBeVisible()
    await embedded.getByRole('button', { name: 'Back' }).click()
  }
  expect(requested).toEqual([])

  await cashier.withdraw.review()
  await cashier.withdraw.send()
  const anyway = cashier.withdraw.sendAnyway()
  await expect(anyway).toBeEnabled()
  await pressUntil(cashier.withdraw.outcome(), () => anyway.click({ timeout: 3000 }))
  expect(requested).toHaveLength(1)
})
