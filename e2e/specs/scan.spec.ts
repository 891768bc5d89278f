/** In the merchant's page, on a phone: an address is read from a QR code, with a camera that the test makes. */
import encodeQR from 'qr'
import type { Page } from 'playwright/test'
import { BITCOIN_ADDRESS, TRON_ADDRESS } from '../fixtures/money.ts'
import { expect, test } from '../fixtures/test.ts'
import { violations } from '../fixtures/violations.ts'
import { Cashier } from '../views/cashier.ts'
import { frameOf } from '../views/scrolled-host.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** Every frame's camera shows this QR code, none for an empty text; without a text, its request fails with this error. */
async function makeCamera(page: Page, { text, error }: { readonly text?: string; readonly error?: string }) {
  const modules = text === undefined ? null : text === '' ? [] : encodeQR(text, 'raw')
  await page.addInitScript(
    ({ cells, name }) => {
      const made: MediaStream[] = []
      Object.assign(window, {
        cameraTracks: () => made.flatMap((stream) => stream.getTracks().map((one) => one.readyState)),
      })
      const getUserMedia = (): Promise<MediaStream> => {
        if (cells === null) return Promise.reject(new DOMException('no camera', name))
        const canvas = document.createElement('canvas')
        canvas.width = 640
        canvas.height = 480
        const drawing = canvas.getContext('2d')
        const size = 8
        const draw = (): void => {
          if (!drawing) return
          drawing.fillStyle = '#d8d8d0'
          drawing.fillRect(0, 0, canvas.width, canvas.height)
          drawing.fillStyle = '#222'
          cells.forEach((row, y) =>
            row.forEach((dark, x) => {
              if (dark) drawing.fillRect(160 + x * size, 80 + y * size, size, size)
            }),
          )
        }
        draw()
        setInterval(draw, 100)
        const stream = canvas.captureStream(10)
        made.push(stream)
        return Promise.resolve(stream)
      }
      Object.defineProperty(MediaDevices.prototype, 'getUserMedia', { value: getUserMedia })
    },
    { cells: modules, name: error ?? '' },
  )
}

const tracksOf = (page: Page): Promise<string[]> =>
  frameOf(page).evaluate(() => (window as unknown as { cameraTracks: () => string[] }).cameraTracks())

test('a payment link in a QR code goes the way of a paste, by keyboard, and the camera is off then', async ({
  page,
  embedded,
  openCashier,
}) => {
  await makeCamera(page, { text: `bitcoin:${BITCOIN_ADDRESS}?amount=0.25&label=Shop` })
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick('BTC', 'Bitcoin')
  await cashier.goTo('Withdraw')
  await embedded.getByLabel('To address').focus()
  await embedded.getByTestId('scan').focus()
  await page.keyboard.press('Enter')
  await expect(embedded.getByLabel('To address')).toHaveValue(BITCOIN_ADDRESS)
  await expect(embedded.getByLabel('Amount')).toHaveValue('0.25')
  await expect(embedded.getByText('This address comes from your payment link.')).toBeVisible()
  await expect(embedded.getByRole('dialog')).toBeHidden()
  await expect(embedded.getByTestId('scan')).toBeFocused()
  expect(await tracksOf(page)).toEqual(['ended'])
})

test('a code for another network is told as one that was typed', async ({ page, embedded, openCashier }) => {
  await makeCamera(page, { text: TRON_ADDRESS })
  await openCashier()
  const cashier = new Cashier(embedded)
  await cashier.pick('BTC', 'Bitcoin')
  await cashier.goTo('Withdraw')
  await embedded.getByLabel('To address').focus()
  await embedded.getByTestId('scan').click()
  await expect(embedded.getByText('This address is for Tron. You chose Bitcoin.')).toBeVisible()
})

test('while the camera looks, the view can be closed by keyboard, which turns the camera off', async ({
  page,
  embedded,
  openCashier,
}) => {
  await makeCamera(page, { text: '' })
  await openCashier()
  await new Cashier(embedded).goTo('Withdraw')
  await embedded.getByLabel('To address').focus()
  await embedded.getByTestId('scan').click()
  await expect(embedded.getByText('Hold the QR code of the address in front of the camera.')).toBeVisible()
  expect(await violations(frameOf(page))).toEqual([])
  expect(await tracksOf(page)).toEqual(['live'])
  await page.keyboard.press('Escape')
  await expect(embedded.getByRole('dialog')).toBeHidden()
  expect(await tracksOf(page)).toEqual(['ended'])
})

for (const [error, words] of [
  ['NotAllowedError', 'The camera is blocked here.'],
  ['NotFoundError', 'No camera was found.'],
  ['NotReadableError', 'Another app is using the camera.'],
] as const)
  test(`words for ${error}`, async ({ page, embedded, openCashier }) => {
    await makeCamera(page, { error })
    await openCashier()
    await new Cashier(embedded).goTo('Withdraw')
    await embedded.getByLabel('To address').focus()
    await embedded.getByTestId('scan').click()
    await expect(embedded.getByTestId('scanner').getByRole('alert')).toContainText(words)
    await expect(embedded.getByRole('button', { name: 'Try again' })).toBeVisible()
    expect(await violations(frameOf(page))).toEqual([])
  })

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true })

  test('a native coin has a link for wallets, also after a change of the currency; a token has none', async ({
    embedded,
    openCashier,
  }) => {
    await openCashier()
    const cashier = new Cashier(embedded)
    const link = embedded.getByRole('link', { name: 'Open in a wallet' })
    for (const [code, network, uri] of [
      ['BTC', 'Bitcoin', /^bitcoin:/],
      ['ETH', 'Ethereum', /^ethereum:0x[0-9a-fA-F]{40}@1$/],
      ['TRX', 'Tron', /^tron:T/],
    ] as const) {
      await cashier.pick(code, network)
      await expect(link).toHaveAttribute('href', uri)
      const address = await cashier.deposit.address()
      expect(await link.getAttribute('href')).toContain(address)
    }
    await cashier.pick('USDT', 'Tron')
    await expect(embedded.getByTestId('address')).toContainText('T')
    await expect(link).toHaveCount(0)
  })
})
