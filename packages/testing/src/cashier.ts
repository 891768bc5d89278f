/** Page object of the cashier: screens by their purpose, elements by role and name. */
import type { FrameLocator, Locator, Page } from 'playwright'
import type { MinimalLocator, MinimalRoot } from './minimal-locator.ts'
import type { CashierLocale, CashierTextKey } from './texts.ts'
import { untilEnabled } from './until-enabled.ts'
import { untilSeen } from './until-seen.ts'
import { literally, wordingOf, type Wording } from './wording.ts'

export type CashierFlow = 'deposit' | 'withdraw' | 'buy' | 'history'

export interface CashierOptions {
  /** The language in which the cashier is shown; `en` by default. */
  readonly locale?: CashierLocale
}

export interface ConfirmOptions {
  /**
   * Answers the questions of the review: types the last four characters of the address, and confirms a repeated
   * withdrawal or a doubtful destination.
   */
  readonly confirm?: boolean
}

/** Maximum presses of a button that asks for confirmation. */
const MOST_PRESSES = 3

/** Uses the attribute itself, because a test may have given Playwright another attribute for `getByTestId`. */
const byTestId = (id: string): string => `[data-testid="${id}"]`

/**
 * The page object for any driver.
 * @template Root a page, or the content of a frame, that has the cashier
 * @template L elements in it
 * @template F the content of a frame in it
 */
export class CashierPage<Root extends MinimalRoot<L, F>, L extends MinimalLocator<L>, F> {
  /** The cashier's page, or its frame in a merchant's page. */
  readonly root: Root
  readonly #wording: Wording

  /** @throws RangeError for a language that the cashier does not support */
  constructor(root: Root, { locale = 'en' }: CashierOptions = {}) {
    this.root = root
    this.#wording = wordingOf(locale)
  }

  /** A text of the page in its language: `cashier.text('status.credited')`. */
  text(key: CashierTextKey, values?: Readonly<Record<string, string>>): string {
    return this.#wording.text(key, values)
  }

  async goTo(flow: CashierFlow): Promise<void> {
    const name = this.text(`flow.${flow}`)
    const link = this.root.getByRole('navigation').getByRole('link', { name, exact: true })
    // Beside the review the browser drops a press soon after the page was scrolled to the link.
    if (await this.#review.isVisible()) {
      await link.scrollIntoViewIfNeeded()
      await link.evaluate(untilSeen)
    }
    await link.click()
    await this.root.getByRole('heading', { level: 1, name, exact: true }).waitFor({ state: 'attached' })
  }

  /** Chooses a currency with the search field, or with the links that the page shows before its scripts have run. */
  async pick(code: string, network: string): Promise<void> {
    const button = `^${literally(this.text('details.currency'))}: `
    await this.root.getByRole('button', { name: new RegExp(button) }).click()
    const dialog = this.root.getByRole('dialog', { name: this.text('currency.choose'), exact: true })
    const links = this.root.locator(byTestId('currency-links'))
    await dialog.or(links).first().waitFor()
    const name = new RegExp(`${literally(code)}.*${literally(network)}`, 's')
    if (await dialog.isVisible()) {
      await dialog.getByRole('combobox').fill(code)
      await dialog.getByRole('option', { name }).click()
      await dialog.waitFor({ state: 'hidden' })
    } else {
      await links.getByRole('link', { name }).click()
    }
    const { source } = this.#wording.pattern('currency.nameOn', { network })
    // If currency and network have the same name, the page shows it once.
    const chosen = new RegExp(`${button}${literally(code)} (?:${source.slice(1)}|${literally(network)}$)`, 'is')
    await this.root.getByRole('button', { name: chosen }).waitFor()
  }

  /** The available balance of the chosen currency. */
  get balance(): L {
    return this.root.locator(byTestId('balance'))
  }

  /** The amount of the chosen currency that open withdrawals hold. */
  get reserved(): L {
    return this.root.locator(byTestId('reserved'))
  }

  /** Leaves the final screen of a withdrawal or purchase. */
  done(): Promise<void> {
    return this.#button('common.done').click()
  }

  /** Shows whether the page is live. */
  get connection(): L {
    return this.root.getByRole('contentinfo')
  }

  readonly deposit = {
    qr: (): L => this.root.locator(byTestId('qr')),
    /** The address without spaces. */
    address: async (): Promise<string> => {
      const shown = this.root.locator(byTestId('address'))
      await shown.waitFor()
      return (await shown.innerText()).replace(/\s/g, '')
    },
    copy: (): L => this.#button('deposit.copy'),
    /** Deposits of this visit, newest first. */
    arrived: (): L =>
      this.root.getByRole('region', { name: this.text('deposit.live'), exact: true }).locator(byTestId('deposit')),
    /** The current step of each deposit. */
    step: (): L => this.deposit.arrived().locator('[aria-current="step"]'),
  }

  readonly withdraw = {
    fill: async (amount: string, address: string): Promise<void> => {
      await this.#field('withdraw.amount').fill(amount)
      await this.#field('withdraw.to').fill(address)
    },
    review: (): Promise<void> => this.#button('withdraw.review').click(),
    /**
     * Presses the review's button, and again if it asks for confirmation. If something on your page covers the button,
     * the cashier only shows a warning (`alert`).
     */
    send: async (): Promise<void> => {
      const button = this.#sendButton
      await button.evaluate(untilEnabled)
      await button.scrollIntoViewIfNeeded()
      await button.evaluate(untilSeen)
      await button.click()
    },
    sendAgain: (): L =>
      this.#review.getByRole('button', { name: this.#wording.pattern('withdraw.check.confirmAgain') }),
    /** The second question about a destination that is almost certainly a mistake. */
    sendAnyway: (): L =>
      this.#review.getByRole('button', { name: this.#wording.pattern('withdraw.check.confirmAnyway') }),
    alert: (): L => this.#review.getByRole('alert'),
    form: (): L => this.root.locator(byTestId('withdraw-form')),
    /**
     * `data-status` is the state: `pending_authorization`, `awaiting_approval`, `processing`, `unknown`, `succeeded` or
     * `failed`.
     */
    outcome: (): L => this.root.locator(byTestId('withdraw-outcome')),
    /**
     * Fills in the form, reviews and sends, until the request is on its way or has an answer.
     * @throws Error if the review asks a question and `confirm` is not given
     */
    all: async (amount: string, address: string, { confirm = false }: ConfirmOptions = {}): Promise<void> => {
      await this.withdraw.fill(amount, address)
      await this.withdraw.review()
      await this.withdraw.send()
      await this.#untilChecked()
      const last = this.root.locator('#withdraw-last-characters[aria-invalid="true"]')
      if (await last.isVisible()) {
        if (!confirm) throw new Error('the review asks for the last four characters of the address')
        await last.fill(address.slice(-4))
        await this.withdraw.send()
        await this.#untilChecked()
      }
      const compared = this.root.locator('#withdraw-compared[aria-invalid="true"]')
      if (await compared.isVisible()) {
        if (!confirm) throw new Error('the review asks to compare the address with one that looks like it')
        await compared.click()
        await this.withdraw.send()
        await this.#untilChecked()
      }
      const question = this.withdraw.sendAgain().or(this.withdraw.sendAnyway())
      // The first press may only cause a warning, for example if the page has just moved.
      for (let presses = 0; await question.isVisible(); presses += 1) {
        if (!confirm || presses === MOST_PRESSES)
          throw new Error(`the review asks a question: ${await this.withdraw.alert().first().innerText()}`)
        await this.withdraw.send()
        await this.#untilChecked()
      }
    },
  }

  readonly buy = {
    /** @param country its two-letter code, such as `DE`, or its name in the cashier's language */
    fill: async (amount: string, country: string): Promise<void> => {
      await this.#field('buy.pay').fill(amount)
      await this.#field('buy.country').selectOption(country)
    },
    start: (): Promise<void> => this.#button('buy.continue').click(),
    form: (): L => this.root.locator(byTestId('buy-form')),
    /** `data-status` is the state: `pending`, `processing`, `succeeded` or `failed`. */
    purchase: (): L => this.root.locator(byTestId('purchase')),
    /** The provider's page, in the provider's language. */
    provider: (): F => this.root.frameLocator(`${byTestId('purchase')} iframe`),
  }

  readonly history = {
    rows: (): L => this.root.locator(byTestId('transaction')),
    /** The headings of the days. */
    days: (): L => this.root.locator(byTestId('history')).getByRole('heading', { level: 2 }),
    /**
     * @param range `today`, `yesterday`, `this_week`, `this_month`, `last_month` or `last_24hrs`; empty for any time
     */
    range: async (range: string): Promise<void> => {
      await this.root.locator(byTestId('time-range')).selectOption(range)
    },
    type: (type: 'all' | 'Deposit' | 'Payout'): Promise<void> =>
      this.root.getByRole('link', { name: this.text(`history.type.${type}`), exact: true }).click(),
    details: (): L => this.root.getByRole('dialog', { name: this.text('history.details'), exact: true }),
  }

  get #review(): L {
    return this.root.locator(byTestId('withdraw-review'))
  }

  /** The button that sends, also while it asks for confirmation. */
  get #sendButton(): L {
    const { source: first } = this.#wording.pattern('withdraw.check.confirm')
    const { source: again } = this.#wording.pattern('withdraw.check.confirmAgain')
    const { source: anyway } = this.#wording.pattern('withdraw.check.confirmAnyway')
    return this.#review.getByRole('button', { name: new RegExp(`${first}|${again}|${anyway}`, 's') })
  }

  /** Waits while the page checks whether it may send. The button shows the check. */
  async #untilChecked(): Promise<void> {
    const sending = this.#review.getByRole('button', { name: this.text('withdraw.check.sending'), exact: true })
    const { outcome, form } = this.withdraw
    await this.#sendButton.or(sending).or(outcome()).or(form()).first().waitFor()
  }

  #button(key: CashierTextKey): L {
    return this.root.getByRole('button', { name: this.text(key), exact: true })
  }

  #field(key: CashierTextKey): L {
    return this.root.getByLabel(this.text(key), { exact: true })
  }
}

/** The page object for Playwright. */
export class Cashier extends CashierPage<Page | FrameLocator, Locator, FrameLocator> {}
