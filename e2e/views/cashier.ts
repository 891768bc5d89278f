/** Page object of the cashier: screens by their purpose, elements by role and name. */
import { expect, type Locator, type Page } from 'playwright/test'

export class Cashier {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async goTo(flow: 'Deposit' | 'Withdraw' | 'Buy' | 'History'): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: flow }).click()
    await expect(this.page.getByRole('heading', { level: 1, name: flow })).toBeAttached()
  }

  /** Chooses a currency with the search field. */
  async pick(code: string, network: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Currency: / }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Choose a currency' })
    await dialog.getByRole('combobox').fill(code)
    await dialog.getByRole('option', { name: new RegExp(`${code}.*${network}`, 's') }).click()
    await expect(dialog).toBeHidden()
    await expect(
      this.page.getByRole('button', { name: new RegExp(`^Currency: ${code} .* on ${network}$`) }),
    ).toBeVisible()
  }

  get balance(): Locator {
    return this.page.getByTestId('balance')
  }

  get reserved(): Locator {
    return this.page.getByTestId('reserved')
  }

  get connection(): Locator {
    return this.page.getByRole('contentinfo')
  }

  readonly deposit = {
    qr: (): Locator => this.page.getByTestId('qr'),
    /** The address without gaps. */
    address: async (): Promise<string> => {
      const shown = this.page.getByTestId('address')
      await expect(shown).toBeVisible()
      return (await shown.innerText()).replace(/\s/g, '')
    },
    copy: (): Locator => this.page.getByRole('button', { name: 'Copy address' }),
    arrived: (): Locator => this.page.getByRole('region', { name: 'Deposits in this visit' }).getByTestId('deposit'),
  }

  readonly withdraw = {
    fill: async (amount: string, address: string): Promise<void> => {
      await this.page.getByLabel('Amount').fill(amount)
      await this.page.getByLabel('To address').fill(address)
    },
    review: (): Promise<void> => this.page.getByRole('button', { name: 'Review' }).click(),
    send: (): Promise<void> => this.page.getByRole('button', { name: /^Send / }).click(),
    sendAgain: (): Locator => this.page.getByRole('button', { name: /^Send .* again$/ }),
    alert: (): Locator => this.page.getByTestId('withdraw-review').getByRole('alert'),
    outcome: (): Locator => this.page.getByTestId('withdraw-outcome'),
    /** Form, review and send. */
    all: async (amount: string, address: string): Promise<void> => {
      await this.withdraw.fill(amount, address)
      await this.withdraw.review()
      await this.withdraw.send()
    },
  }

  readonly buy = {
    fill: async (amount: string, country: string): Promise<void> => {
      await this.page.getByLabel('You pay').fill(amount)
      await this.page.getByLabel('Country').selectOption({ label: country })
    },
    start: (): Promise<void> => this.page.getByRole('button', { name: 'Continue to payment' }).click(),
    purchase: (): Locator => this.page.getByTestId('purchase'),
    provider: () => this.page.frameLocator('iframe[title="The payment provider’s page"]'),
  }

  readonly history = {
    rows: (): Locator => this.page.getByTestId('transaction'),
    details: (): Locator => this.page.getByRole('dialog', { name: 'Details' }),
  }
}
