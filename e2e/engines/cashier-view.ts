/** Page object of the cashier for any engine: as `packages/testing/src/cashier.ts`, which is Playwright's. */
import { expect } from 'playwright/test'
import type { View } from './view.ts'

const byId = (id: string): string => `[data-testid="${id}"]`

export class CashierView {
  readonly view: View

  constructor(view: View) {
    this.view = view
  }

  readonly balance = byId('balance')
  readonly deposit = byId('deposit')
  readonly outcome = byId('withdraw-outcome')
  readonly purchase = byId('purchase')
  readonly transaction = byId('transaction')
  readonly copy = byId('copy-address')
  readonly sessionEnded = byId('session-ended')
  readonly cookiesBlocked = byId('cookies-blocked')

  async goTo(flow: 'Deposit' | 'Withdraw' | 'Buy' | 'History'): Promise<void> {
    await this.view.press('link', flow)
    await this.view.shows('h1', flow)
  }

  /** Chooses a currency with the search field. */
  async pick(code: string, network: string): Promise<void> {
    await this.view.press('button', /^Currency: /)
    await this.view.type('Name, ticker or network', `${code} ${network}`)
    await this.view.press('option', new RegExp(`${code}.*${network}`, 's'))
    const chosen = new RegExp(`${code}.*${network}`, 's')
    await expect.poll(() => this.view.count('[role="dialog"]'), { timeout: 30_000 }).toBe(0)
    await this.view.shows(byId('currency-button'), chosen)
  }

  /** The address without gaps. */
  async address(): Promise<string> {
    await this.view.shows(byId('address'), /\w/)
    return (await this.view.text(byId('address')))?.replace(/\s/g, '') ?? ''
  }

  /** Fills in the form, reviews and sends. */
  async withdraw(amount: string, address: string): Promise<void> {
    await this.view.fill('Amount', amount)
    await this.view.fill('To address', address)
    await this.view.press('button', 'Review')
    await this.view.press('button', /^Send /)
  }

  async buy(amount: string, country: string): Promise<void> {
    await this.view.fill('You pay', amount)
    await this.view.select('Country', country)
    await this.view.press('button', 'Continue to payment')
  }

  /** The provider's page in its frame. */
  provider(): View {
    return this.view.frame('iframe[title="The payment provider’s page"]')
  }

  status(selector: string): Promise<string | null> {
    return this.view.attribute(selector, 'data-status')
  }
}
