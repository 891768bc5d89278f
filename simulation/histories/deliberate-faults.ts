/**
 * Faults that a cashier may have, put back on purpose by wrapping the port. The search must find each of them
 * (`deliberate-faults.test.ts`). The cashier itself has no switch for them.
 */
import type { Cashier, State } from './port.ts'
import { ETH, MERCHANT, OTHER_USER, START_MS, USER } from './wire.ts'

/** A state whose open lines can be taken away. */
export interface FaultyState extends State {
  readonly quarantine: readonly { readonly reason: string }[]
  settled(lines: readonly { readonly reason: string }[]): this
}

export interface Fault {
  /** The scenes in which it must show. */
  readonly scenes: readonly string[]
  readonly pinned: boolean
  /** The clause of the oracle that finds it. */
  readonly clause: string
  readonly make: <S extends FaultyState>(cashier: Cashier<S>) => Cashier<S>
}

/** Nobody compares the totals: each fault must show by its own clause. */
export const withoutTotals = <S extends State>(cashier: Cashier<S>): Cashier<S> => ({
  ...cashier,
  totals: (state) => state,
})

/** Nobody is told for this reason. */
const silent =
  (...reasons: readonly string[]) =>
  <S extends FaultyState>(cashier: Cashier<S>): Cashier<S> => {
    const mute = (state: S): S => {
      const lines = state.quarantine.filter(({ reason }) => reasons.includes(reason))
      return lines.length === 0 ? state : state.settled(lines)
    }
    return {
      ...cashier,
      webhooks: (...all) => mute(cashier.webhooks(...all)),
      list: (...all) => mute(cashier.list(...all)),
      wholeList: (...all) => mute(cashier.wholeList(...all)),
      deadlines: (...all) => mute(cashier.deadlines(...all)),
      books: (state) => {
        const books = cashier.books(state)
        const isMute = (attention: string | null): boolean => attention !== null && reasons.includes(attention)
        return {
          ...books,
          withdrawals: books.withdrawals.map((one) => (isMute(one.attention) ? { ...one, attention: null } : one)),
        }
      },
    }
  }

/** Reads each webhook as another. */
const misread =
  (change: (body: string) => string) =>
  <S extends FaultyState>(cashier: Cashier<S>): Cashier<S> => ({
    ...cashier,
    reading: (what) => `${cashier.reading(what)} ${JSON.stringify(what)}`,
    webhooks: (state, now, bodies) => cashier.webhooks(state, now, bodies.map(change)),
  })

/** Reads each record of the list as another; null: does not see it. */
const mislist =
  (change: (record: string, now: number) => string | null) =>
  <S extends FaultyState>(cashier: Cashier<S>): Cashier<S> => {
    const changed = (records: readonly string[], now: number): readonly string[] =>
      records.map((record) => change(record, now)).filter((record) => record !== null)
    return {
      ...cashier,
      reading: (what) => `${cashier.reading(what)} ${JSON.stringify(what)}`,
      list: (state, now, records) => cashier.list(state, now, changed(records, now)),
      wholeList: (state, now, records) => cashier.wholeList(state, now, changed(records, now)),
      deadlines: (state, now, reads) =>
        cashier.deadlines(
          state,
          now,
          reads.map(({ at, records }) => ({ at, records: changed(records, at) })),
        ),
    }
  }

const isPurchase = (body: string): boolean => body.includes('"User Onramp"')

/** A purchase by our reference counts, whoever's key it has, and whatever was paid. */
const anyKey = (body: string): string =>
  isPurchase(body)
    ? body
        .replace(/"correlation_key":"[^"]*"/, `"correlation_key":"${MERCHANT}:session-1"`)
        .replace(/"transaction_uuid":"[^"]*"/, '"transaction_uuid":"00000000-0000-4000-8000-0000000000c1"')
        .replace(/"id":"[^"]*c2"/, '"id":"00000000-0000-4000-8000-0000000000c1"')
    : body

const insertedAt = (record: string): number => Date.parse(/"inserted_at":"([^"]*)"/.exec(record)?.[1] ?? '')

const HOUR = 3_600_000

export const FAULTS: Readonly<Record<string, Fault>> = {
  'what was there before us is credited': {
    scenes: ['a deposit and a payout of ten days ago'],
    pinned: false,
    clause: 'arrival',
    make: mislist((record) =>
      record.replace(/"inserted_at":"[^"]*"/, `"inserted_at":"${new Date(START_MS).toISOString()}"`),
    ),
  },
  'a payout that nothing accounts for is silent': {
    scenes: ['a payout without a request'],
    pinned: false,
    clause: 'departure',
    make: silent('unmatched_payout'),
  },
  'a second payout is silent': {
    scenes: ['accepted, paid twice'],
    pinned: false,
    clause: 'departure',
    make: silent('unmatched_payout'),
  },
  'absence is proved though the list has the payout under another spelling': {
    scenes: ['cut, paid, only the list says so'],
    pinned: false,
    clause: 'departure',
    make: mislist((record) =>
      record.includes(`"${USER}"`) && record.includes(ETH.id) && insertedAt(record) >= START_MS ? record : null,
    ),
  },
  'absence is proved though the list has the payout, and a line says that an event gave it to another user': {
    scenes: ['cut, paid'],
    pinned: true,
    clause: 'release',
    make: (cashier) => ({
      ...cashier,
      wholeList(state, now, records) {
        const { unowned, lines } = cashier.books(state)
        const disputed = new Set(lines.filter(({ reason }) => reason === 'list_conflict').map(({ uuid }) => uuid))
        const forget = (before: typeof state, uuid: string): typeof state =>
          cashier.own(before, now, uuid, { acknowledged: true, note: 'of another user' }) ?? before
        return cashier.wholeList(unowned.filter((uuid) => disputed.has(uuid)).reduce(forget, state), now, records)
      },
    }),
  },
  'absence is proved though another user has the payout of the list': {
    scenes: ['cut, paid, while another user waits for the like'],
    pinned: true,
    clause: 'release',
    make: (cashier) => ({
      ...cashier,
      // As if a person dismissed every line at once.
      wholeList: (state, now, records) => cashier.wholeList(cashier.dismiss(state, now), now, records),
    }),
  },
  "another merchant's purchase with our reference is credited": {
    scenes: ["another merchant's purchase with our reference in their key"],
    pinned: false,
    clause: 'arrival',
    make: misread(anyKey),
  },
  'a null is taken for somebody else': {
    scenes: ['purchase with its deposit'],
    pinned: false,
    clause: 'needless',
    make: misread((body) =>
      isPurchase(body) ? body.replace('"user_reference":null', `"user_reference":"${OTHER_USER}"`) : body,
    ),
  },
  'nothing is overdue': {
    scenes: ['accepted, never listed', 'accepted, new for ever', 'accepted, the record vanishes'],
    pinned: false,
    clause: 'held',
    make: silent('overdue'),
  },
  'an amount that passed through a double is another amount': {
    scenes: ['deposit'],
    pinned: true,
    clause: 'needless',
    make: misread((body) => body.replace(/"amount":10\.3(?=[,}])/, '"amount":10.31')),
  },
  'a contradiction is swallowed': {
    scenes: ['deposit succeeded, then failed'],
    pinned: true,
    clause: 'arrival',
    make: silent('contradiction', 'list_conflict'),
  },
  'a word that contains a failure ends a payout': {
    scenes: ['cut, paid, only the list says so'],
    pinned: false,
    clause: 'departure',
    make: mislist((record) =>
      record.replace(/"status":"(TXN_FAILOVER_PROVIDER|CANCEL_REQUESTED)"/, '"status":"TXN_FAILED"'),
    ),
  },
  'what the list shows late is found by nobody': {
    scenes: ['deposit of which only the list tells'],
    pinned: false,
    clause: 'arrival',
    make: mislist((record, now) => (now - insertedAt(record) > 2 * HOUR ? null : record)),
  },
  'the same withdrawal is sent while the first is uncertain': {
    scenes: ['two alike, the first cut and paid'],
    pinned: false,
    clause: 'twin',
    make: (cashier) => ({
      ...cashier,
      request: (state, now, plan) =>
        cashier.request(state, now, plan.id === 'w2' ? { ...plan, to: `${plan.to.slice(0, -1)}8` } : plan),
    }),
  },
  'a currency with a new id is another currency': {
    scenes: ['deposit'],
    pinned: false,
    clause: 'needless',
    make: mislist((record) => (record.includes(ETH.id) ? record : record.replace('"code":"ETH"', '"code":"USDT"'))),
  },
  'a success in another word is silent': {
    scenes: ['deposit of which only the list tells'],
    pinned: false,
    clause: 'arrival',
    make: silent('unknown_status', 'overdue'),
  },
  'a payout that failed after its success is swallowed': {
    scenes: ['accepted, succeeded, then failed'],
    pinned: false,
    clause: 'departure',
    make: silent('contradiction', 'late_payout'),
  },
  'a payout that succeeded after its failure is swallowed': {
    scenes: ['accepted, failed, then succeeded'],
    pinned: false,
    clause: 'departure',
    make: silent('contradiction', 'late_payout', 'unmatched_payout'),
  },
  'a credited record that vanishes is silent': {
    scenes: ['deposit credited, the record vanishes'],
    pinned: false,
    clause: 'arrival',
    make: silent('contradiction'),
  },
  "an id that means another currency is taken for the record's own": {
    scenes: ['deposit'],
    pinned: false,
    clause: 'arrival',
    make: silent('conflict', 'list_conflict', 'contradiction', 'implausible', 'unknown_currency'),
  },
  'nobody may end what is held for ever': {
    scenes: ['accepted, never listed', 'accepted, new for ever', "the second reply names the first's payout"],
    pinned: false,
    clause: 'endable',
    make: (cashier) => ({ ...cashier, resolve: () => null }),
  },
  'a hold is released by a reply that never came': {
    scenes: ['cut, paid'],
    pinned: false,
    clause: 'needless',
    make: (cashier) => ({
      ...cashier,
      reply: (state, now, id, reply, offset) =>
        cashier.reply(state, now, id, reply.kind === 'cut' ? { kind: 'unreachable' } : reply, offset),
    }),
  },
}
