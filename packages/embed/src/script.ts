/** Written by `npm run packages` from public/embed.d.ts. */
/**
 * Types of the cashier's script for a merchant's page (`/embed.js`, `/embed/v1.js`).
 * Copy this file into your project; the script itself is loaded by a <script> tag and sets `window.Cashier`.
 */

export type CashierTheme = 'light' | 'dark' | 'auto'

/** What your page says of appearance; it wins over what the session says. */
export interface CashierAppearance {
  /** A language tag such as `de` or `pt-BR`. The nearest language that the cashier has is taken, else English. */
  locale?: string | undefined
  /** `auto` follows the device. */
  theme?: CashierTheme | undefined
}

export interface CashierOptions extends CashierAppearance {
  /**
   * Asks your backend for a launch token (`launch_token` of `POST /api/merchant/sessions`). Each token works once, so
   * ask for a new one on each call. Called at mount and again whenever a session has ended.
   */
  fetchLaunchToken: () => Promise<string>
  /** Told of everything below, in order. */
  onEvent?: ((event: CashierEvent) => void) | undefined
  /** With it the cashier hands its files to you instead of saving them: for a web view that cannot save. */
  onFile?: ((file: CashierFile) => void) | undefined
  /** With it links to other sites and wallets are handed to you instead of opened: `https:`, `bitcoin:` and the like. */
  onLink?: ((url: string) => void) | undefined
}

export interface CashierFile {
  name: string
  /** Has the file's type. */
  content: Blob
}

/** A change of a transaction. Amounts are decimal strings; never read them into a `number`. */
export interface CashierTransaction {
  /** Null while a withdrawal has none; then `withdrawal_id` is the key. */
  transaction_uuid: string | null
  kind: 'deposit' | 'payout' | 'onramp'
  status: string
  amount: string | null
  currency_code: string
  network: string
  tx_hash: string | null
  /** ISO 8601, UTC. */
  updated_at: string
  session_reference?: string | undefined
  withdrawal_id?: string | undefined
}

export type CashierErrorCode =
  /** `fetchLaunchToken` failed, or gave what is no token of this cashier. */
  | 'token_failed'
  /** The token was used before, or is older than 5 minutes. */
  | 'token_used'
  /** No answer for 10 seconds: framing refused, blocked, or offline; or the target is not on the page. */
  | 'not_ready'
  /** Anything else. */
  | 'failed'

export type CashierEvent =
  | { type: 'ready' }
  /** The frame is this high now, in CSS pixels. */
  | { type: 'resize'; height: number }
  | ({ type: 'transaction' } & CashierTransaction)
  /** A new session is asked for right after this, unless you call `destroy()`. */
  | { type: 'session_ended' }
  /** The user asked to leave. Hide the cashier, or call `destroy()`. */
  | { type: 'close' }
  | { type: 'error'; code: CashierErrorCode; message: string }

export interface MountedCashier {
  /** Changes language and theme without a reload. What is left out stays as it is. */
  update(appearance: CashierAppearance): void
  /** Removes the frame and everything that came with it. May be called at any time, and twice. */
  destroy(): void
}

export interface CashierScript {
  /**
   * Puts one cashier into `target`: an element, or a selector, which may match only later.
   * @throws TypeError where an option is not as described here; DOMException where the selector is none
   */
  mount(target: Element | string, options: CashierOptions): MountedCashier
}
