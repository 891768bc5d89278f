/**
 * The seam between the process and Next. `server.ts` composes the application once and hangs it on one global symbol;
 * Next's route files and pages, which live in bundles of their own, reach it here. So there is one copy of each class,
 * one store and one stream whatever Next bundles.
 */
import type { Balance, Currency, DepositAddress, TransactionsPage } from '#lib/contract/cashier.ts'
import type { CashierSession } from '../store/port.ts'
import type { ForwardedRouteName } from './route-names.ts'

export type Handler = (request: Request) => Promise<Response>

/** What a page shows of something that may fail to load: the data, or the problem's code with the reference to quote. */
export type Loaded<T> =
  { readonly ok: true; readonly data: T } | { readonly ok: false; readonly code: string; readonly request_id: string }

/** Who is looking at a page. */
export type PageSession =
  | { readonly state: 'active'; readonly session: CashierSession }
  /** `ended`: it was theirs and is over. `none`: no cookie, a foreign one, or no such session. */
  | { readonly state: 'ended' | 'none' }

/** What pages may ask while rendering. Nothing here throws for a gateway or store that is away. */
export interface Pages {
  session(sessionId: string, cookieHeader: string | null): Promise<PageSession>
  currencies(session: CashierSession): Promise<Loaded<readonly Currency[]>>
  balances(session: CashierSession): Promise<Loaded<readonly Balance[]>>
  /** The kept address, or null where none was asked for yet (the page then asks by itself). Never calls the gateway. */
  knownDepositAddress(session: CashierSession, currencyId: string): Promise<DepositAddress | null>
  transactions(session: CashierSession, query: URLSearchParams): Promise<Loaded<TransactionsPage>>
  /**
   * The id that the user's stream stands at, asked for before the rest is read, so that the page opens its stream with
   * nothing missed and nothing read twice. Null where it cannot be told: the page then reads afresh.
   */
  streamHead(session: CashierSession): Promise<string | null>
  /** Facts of this installation that a page words itself by. */
  readonly settings: {
    readonly publicUrl: string
    /** Embedded ledger, so balances are shown; else the merchant keeps the books. */
    readonly books: 'ledger' | 'merchant'
    /** `ONRAMP_ORIGINS` is set. */
    readonly onramp: boolean
    readonly themeTokens: Readonly<Record<string, string>>
    readonly supportUrl: string | null
    readonly embedOrigins: readonly string[]
  }
}

export interface App {
  readonly routes: Readonly<Record<ForwardedRouteName, Handler>>
  readonly pages: Pages
}

const APP = Symbol.for('cashier.app')
type Holder = typeof globalThis & { [APP]?: App }

export const setApp = (app: App): void => {
  ;(globalThis as Holder)[APP] = app
}

/** The running application. Throws where the process was not started by `server.ts`. */
export function getApp(): App {
  const app = (globalThis as Holder)[APP]
  if (!app) throw new Error('the application is not composed: start the process with server.ts')
  return app
}
