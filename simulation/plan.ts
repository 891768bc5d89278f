/** The plan of one world. It is drawn from the seed once, so that a repeated run can leave out parts of it. */
import { smallest, type Units } from './amounts.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import { currencyAt, CURRENCIES } from './currencies.ts'
import { Chance } from './random.ts'

/** The gateway's behaviour in this world, where its operators choose it or its documentation does not say. */
export interface GatewayHabits {
  /** The reply to a withdrawal names its transaction. */
  readonly namesTransaction: boolean
  /** The reply has the paid amount; otherwise it has the requested amount. */
  readonly repliesPaidAmount: boolean
  /** Maximum rows in a page of the list. */
  readonly pageSize: number
  /** A cursor is a position in the list, which shifts with new rows; otherwise a cursor is a row. */
  readonly cursorIsPlace: boolean
  /** Replies have the header `Date`. */
  readonly dates: boolean
  /** The gateway's clock minus the true time. */
  readonly skewMs: number
  /** A purchase also arrives as a deposit. */
  readonly purchaseIsDeposit: boolean
  /** The gateway offers the list of all users. */
  readonly listsAllUsers: boolean
}

export interface Settings {
  readonly ledgerMode: 'embedded' | 'merchant'
  /** `GATEWAY_MERCHANT_REFERENCE` is set. */
  readonly pinned: boolean
  readonly machines: number
  /** `MERCHANT_WEBHOOK_URL` is set. */
  readonly deliveries: boolean
  readonly absenceS: number
  readonly faultScale: number
  readonly habits: GatewayHabits
  /** Three currencies, of 0, 2, 6, 8 or 18 decimals. Users withdraw the first two. */
  readonly currencies: readonly number[]
  /** Which withdrawals wait where the cashier keeps the books: for an operator, for a time, or for both. */
  readonly rules: 'none' | 'review' | 'wait' | 'both'
  /** What happens once in the life of this cashier. */
  readonly maintenance: MaintenanceKind
  /** For so many days, a few users do something now and then, and the machines stay awake; 0: all within seconds. */
  readonly days: number
}

/** How long a withdrawal to a new address waits. */
export const WAIT_MS = 4000

export type MaintenanceKind = 'none' | 'restored' | 'erased' | 'changed books' | 'copied' | 'copied in vain'

const MAINTENANCE: readonly MaintenanceKind[] = ['none', 'none', 'none', 'restored', 'erased', 'changed books']
/** From SQLite to PostgreSQL. */
const COPIES: readonly MaintenanceKind[] = ['copied', 'copied in vain']

/** What happens to one message to PostgreSQL: see `lib/server/store/testing/tcp-proxy.ts`. */
export interface DatabaseTrouble {
  readonly trouble: 'cut before' | 'cut after' | 'hold' | 'end'
  readonly at: 'commit' | 'numbering' | 'any message'
  readonly skip: number
  readonly holdMs: number
}

const DAYS: readonly number[] = [...Array.from({ length: 39 }, () => 0), 0.1]

export type Action = { readonly id: string; readonly atMs: number } & (
  | { readonly kind: 'session'; readonly user: number }
  | { readonly kind: 'stream'; readonly user: number; readonly readings: number }
  | { readonly kind: 'deposit'; readonly user: number; readonly currency: number; readonly units: Units }
  | { readonly kind: 'purchase'; readonly user: number; readonly currency: number; readonly units: Units }
  | {
      readonly kind: 'withdrawal'
      readonly user: number
      readonly currency: number
      readonly units: Units
      readonly address: number
      /** Milliseconds between the presses of the button. */
      readonly presses: readonly number[]
    }
  | { readonly kind: 'adjustment'; readonly user: number; readonly currency: number; readonly units: Units }
  | { readonly kind: 'back_up' }
  | { readonly kind: 'restore' }
  | { readonly kind: 'erase'; readonly user: number }
  | { readonly kind: 'change_books' }
  | { readonly kind: 'copy' }
  | { readonly kind: 'undo_copy' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'feed' }
  | { readonly kind: 'crash'; readonly machine: number; readonly steps: number; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly machine: number; readonly steps: number; readonly forMs: number }
  | { readonly kind: 'store_away'; readonly machine: number; readonly forMs: number }
  | { readonly kind: 'store_cut'; readonly machine: number; readonly trouble: DatabaseTrouble }
  | { readonly kind: 'quiet_hours'; readonly forMs: number }
  | { readonly kind: 'gateway_away'; readonly forMs: number; readonly refuses: boolean }
)

export interface Plan {
  readonly seed: string
  readonly settings: Settings
  readonly users: number
  readonly actions: readonly Action[]
  /** Faults that may happen. */
  readonly faults: readonly FaultKind[]
}

export interface PlanOptions {
  /** Deposits, purchases and withdrawals; drawn from the seed by default. */
  readonly transactions?: number
  readonly faults?: readonly FaultKind[]
  readonly settings?: Partial<Settings>
  /** Whether the world has a PostgreSQL. */
  readonly hasPostgres?: boolean
}

export const DEFAULT_FAULTS = Object.keys(FAULT_KINDS) as FaultKind[]

const ONE = smallest(0)
const DAY_MS = 86_400_000

function someCurrencies(chance: Chance): readonly number[] {
  const left = CURRENCIES.map((_currency, index) => index)
  return [0, 1, 2].flatMap(() => left.splice(chance.between(0, left.length - 1), 1))
}

function settingsFrom(seed: string, chance: Chance, hasPostgres: boolean, given: Partial<Settings>): Settings {
  const habits: GatewayHabits = {
    namesTransaction: chance.chance(0.3),
    repliesPaidAmount: chance.chance(0.5),
    pageSize: chance.pick([1, 3, 10, 100, 100, 100]),
    cursorIsPlace: chance.chance(0.5),
    dates: chance.chance(0.8),
    skewMs: chance.pick([0, 0, 0, 0, 120_000, -120_000]),
    purchaseIsDeposit: chance.chance(0.6),
    // A separate random sequence, so that earlier seeds still give the same worlds.
    listsAllUsers: new Chance(`${seed}|lists all users`).chance(0.5),
  }
  return {
    ledgerMode: chance.chance(0.75) ? 'embedded' : 'merchant',
    pinned: chance.chance(0.6),
    machines: chance.pick([1, 1, 2, 3]),
    deliveries: chance.chance(0.5),
    absenceS: chance.pick([600, 3600]),
    faultScale: chance.pick([0, 0.3, 1, 1, 1, 2, 4]),
    habits,
    currencies: someCurrencies(new Chance(`${seed}|currencies`)),
    maintenance: new Chance(`${seed}|turn`).pick(hasPostgres ? [...MAINTENANCE, ...COPIES] : MAINTENANCE),
    days: new Chance(`${seed}|days`).pick(DAYS),
    rules: new Chance(`${seed}|rules`).pick(['none', 'none', 'review', 'wait', 'both']),
    ...given,
  }
}

/** An amount of at most `most`, with as many digits as the currency has. */
function amountOf(chance: Chance, currency: number, most: number): Units {
  const { decimals } = currencyAt(currency)
  const coarse = Math.min(decimals, 6)
  const high = BigInt(chance.between(1, most * 10 ** coarse)) * smallest(coarse)
  if (decimals === coarse) return high
  return high - BigInt(chance.between(0, 10 ** (decimals - coarse) - 1)) * smallest(decimals)
}

function pressesFrom(chance: Chance): readonly number[] {
  const count = chance.pick([1, 1, 1, 2, 3, 6])
  return Array.from({ length: count }, () => chance.pick([10, 60, 70, 200, 1500, 20_000]))
}

interface Extent {
  readonly seed: string
  readonly users: number
  readonly lengthMs: number
}

function addMaintenance(actions: Action[], { maintenance }: Settings, { seed, users, lengthMs }: Extent): void {
  const chance = new Chance(`${seed}|when`)
  const from = (share: number): number => Math.floor(lengthMs * share)
  const at = (least: number, most: number): number => chance.between(from(least), from(most))
  switch (maintenance) {
    case 'none':
      return
    case 'restored':
      actions.push({ id: 'back_up', kind: 'back_up', atMs: at(0.2, 0.6) })
      actions.push({ id: 'restore', kind: 'restore', atMs: at(0.6, 1) })
      return
    case 'erased':
      for (let count = 0; count < Math.ceil(users / 4); count += 1)
        actions.push({ id: `erase-${count}`, kind: 'erase', user: chance.between(0, users - 1), atMs: at(0.3, 1.2) })
      return
    case 'changed books':
      actions.push({ id: 'change_books', kind: 'change_books', atMs: at(0.3, 0.9) })
      return
    case 'copied':
    case 'copied in vain':
      actions.push({ id: 'copy', kind: 'copy', atMs: at(0.2, 0.6) })
      if (maintenance === 'copied in vain') actions.push({ id: 'undo_copy', kind: 'undo_copy', atMs: at(0.6, 1) })
  }
}

function addFreezes(actions: Action[], { machines }: Settings, { seed, lengthMs }: Extent): void {
  const chance = new Chance(`${seed}|freezes`)
  for (let made = 0; made < 3; made += 1)
    actions.push({
      id: `freeze-${made}`,
      kind: 'freeze',
      machine: chance.between(0, machines - 1),
      steps: chance.between(1, 12),
      forMs: chance.pick([300, 3000, 8000, 20_000, 100_000]),
      atMs: chance.between(0, lengthMs),
    })
}

function addTroubles(actions: Action[], { machines }: Settings, { seed, lengthMs }: Extent): void {
  const chance = new Chance(`${seed}|troubles`)
  for (let made = 0; made < 12; made += 1) {
    const at = chance.pick(['commit', 'commit', 'numbering', 'any message', 'any message'] as const)
    actions.push({
      id: `store_cut-${made}`,
      kind: 'store_cut',
      machine: chance.between(0, machines - 1),
      trouble: {
        trouble: chance.pick(['cut before', 'cut after', 'hold', 'end']),
        at,
        skip: chance.between(0, at === 'any message' ? 60 : 8),
        holdMs: chance.pick([20, 100, 400]),
      },
      atMs: chance.between(0, lengthMs),
    })
  }
}

/** What two withdrawals may have in common. */
type Same = Pick<Extract<Action, { kind: 'withdrawal' }>, 'currency' | 'units' | 'address'>

/** Draws the plan of a world from its seed. */
export function planOf(
  seed: string,
  { transactions, faults = DEFAULT_FAULTS, settings = {}, hasPostgres = false }: PlanOptions = {},
): Plan {
  const chance = new Chance(`${seed}|plan`)
  const chosen = settingsFrom(seed, chance, hasPostgres, settings)
  const count = transactions ?? chance.pick([10, 20, 40, 80, 160])
  const crowd = Math.max(1, Math.min(40, Math.round(count / chance.pick([1.5, 4, 10]))))
  const moments = 4000 + count * chance.pick([20, 60, 200])
  // With few users, each has more records than a page of the gateway's list.
  const users = chosen.days > 0 ? Math.min(3, crowd) : crowd
  const lengthMs = chosen.days > 0 ? chosen.days * DAY_MS : moments
  const actions: Action[] = []
  const add = (action: Omit<Action, 'id' | 'atMs'>, fromMs = 0): void => {
    const atMs = chance.between(fromMs, lengthMs)
    actions.push({ id: `${action.kind}-${actions.length}`, atMs, ...action } as Action)
  }
  for (let user = 0; user < users; user += 1) {
    actions.push({
      id: `session-${actions.length}`,
      kind: 'session',
      user,
      atMs: chance.chance(0.85) ? 0 : chance.between(0, lengthMs),
    })
    for (const currency of chosen.currencies.slice(0, 2))
      actions.push({
        id: `adjustment-${actions.length}`,
        kind: 'adjustment',
        atMs: 100,
        user,
        currency,
        units: BigInt(chance.between(50, 500)) * ONE,
      })
    if (chance.chance(0.4)) add({ kind: 'stream', user, readings: chance.between(1, 3) } as never)
  }
  let last: Same | null = null
  for (let made = 0; made < count; made += 1) {
    const user = chance.between(0, users - 1)
    const currency = chance.pick(chosen.currencies)
    const withdrawn = chance.pick(chosen.currencies.slice(0, 2))
    const units = amountOf(chance, currency, 40)
    const what = chance.share()
    if (what < 0.45) add({ kind: 'deposit', user, currency, units } as never)
    else if (what < 0.6)
      add({ kind: 'purchase', user, currency, units: BigInt(chance.between(1, 4000)) * smallest(2) } as never)
    else {
      const same: Same | null = chance.chance(0.05) ? last : null
      last = same ?? { currency: withdrawn, units: amountOf(chance, withdrawn, 9), address: chance.between(0, 3) }
      add({ kind: 'withdrawal', user, presses: pressesFrom(chance), ...last } as never, 500)
    }
    if (chance.chance(0.05)) {
      const sign = chance.pick([1n, -1n])
      add({ kind: 'adjustment', user, currency, units: sign * amountOf(chance, currency, 5) } as never)
    }
  }
  for (let made = 0; made < Math.ceil(count / 15); made += 1) {
    add({ kind: 'operator' } as never)
    add({ kind: 'feed' } as never)
  }
  for (let made = 0; made < Math.min(4, Math.ceil(count / 20)); made += 1) {
    const machine = chance.between(0, chosen.machines - 1)
    add({ kind: 'crash', machine, steps: chance.between(1, 60), downMs: chance.pick([200, 3000, 20_000]) } as never)
    add({ kind: 'store_away', machine, forMs: chance.pick([100, 2000, 8000]) } as never)
    add({ kind: 'gateway_away', forMs: chance.pick([500, 5000, 20_000]), refuses: chance.chance(0.5) } as never)
  }
  add({ kind: 'quiet_hours', forMs: chance.pick([7_200_000, 14_400_000]) } as never)
  addMaintenance(actions, chosen, { seed, users, lengthMs })
  addFreezes(actions, chosen, { seed, users, lengthMs })
  if (hasPostgres) addTroubles(actions, chosen, { seed, users, lengthMs })
  actions.sort((a, b) => a.atMs - b.atMs)
  return { seed, settings: chosen, users, actions, faults }
}

/** How many deposits, purchases and withdrawals a plan has. */
export const transactionsIn = (plan: Plan): number =>
  plan.actions.filter(({ kind }) => kind === 'deposit' || kind === 'purchase' || kind === 'withdrawal').length
