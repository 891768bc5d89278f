import { sql, type Kysely } from 'kysely'
import { decimal, sum } from '#lib/contract/money.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows, selectByKeys } from '../database/multi-row.ts'
import type { TalliedEventsTable, TalliesTable, Tables } from '../database/schema.ts'

export type Tally = TalliesTable
/** Of several slots. */
export type TallySum = Omit<Tally, 'slot_ms'>
export type TalliedEvent = TalliedEventsTable

/** The feed's last event that was counted, in `reconciliation`. */
const CURSOR = 'tallied'

/** What succeeded, by quarters of an hour. One job at a time counts it from the feed (`operate/exceptions/tally-job.ts`). */
export const talliesOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const eventsBy = selectByKeys<TalliedEvent>(flavour, 'tallied_events', ['entity'])
  const putEvents = insertRows<TalliedEvent>(
    flavour,
    'tallied_events',
    { entity: 'text', slot_ms: 'bigint', currency_code: 'text', network: 'text', amount: 'text' },
    'replace',
    ['entity'],
  )
  const putTallies = insertRows<Tally>(
    flavour,
    'tallies',
    { slot_ms: 'bigint', kind: 'text', currency_code: 'text', network: 'text', count: 'bigint', amount: 'text' },
    'replace',
    ['slot_ms', 'kind', 'currency_code', 'network'],
  )
  return {
    async cursor(): Promise<number> {
      const row = await db.selectFrom('reconciliation').select('value').where('name', '=', CURSOR).executeTakeFirst()
      return row?.value ?? 0
    },

    /** Inside a transaction: no other transaction counts until it ends. */
    async lockCursor(): Promise<number> {
      await db
        .insertInto('reconciliation')
        .values({ name: CURSOR, value: 0 })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      const query = db.selectFrom('reconciliation').select('value').where('name', '=', CURSOR)
      const row = await (flavour === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
      return row?.value ?? 0
    },

    async setCursor(value: number): Promise<void> {
      await db.updateTable('reconciliation').set({ value }).where('name', '=', CURSOR).execute()
    },

    /** The successes among these that were counted before. */
    async countedAmong(entities: readonly string[]): Promise<readonly TalliedEvent[]> {
      return eventsBy(
        db,
        entities.map((entity) => [entity]),
      )
    },

    /** The tallies of these slots. */
    async ofSlots(slots: readonly number[]): Promise<readonly Tally[]> {
      if (slots.length === 0) return []
      return db.selectFrom('tallies').selectAll().where('slot_ms', 'in', slots).execute()
    },

    /** Puts rows in the place of those with the same keys. */
    async put(tallies: readonly Tally[], events: readonly TalliedEvent[]): Promise<void> {
      await putTallies(db, tallies)
      await putEvents(db, events)
    },

    /**
     * The sums of each kind and currency from `fromMs` until before `untilMs`. The database joins the amounts as text: a
     * day has thousands of them, and SQLite has no decimals.
     */
    async sums(fromMs: number, untilMs: number): Promise<readonly TallySum[]> {
      const { rows } = await sql<Omit<TallySum, 'amount'> & { amounts: string }>`
        select kind, currency_code, network, cast(sum(count) as bigint) as count, string_agg(amount, ' ') as amounts
        from tallies where slot_ms >= ${fromMs} and slot_ms < ${untilMs}
        group by kind, currency_code, network`.execute(db)
      return rows.map(({ amounts, ...row }) => ({
        ...row,
        amount: sum(amounts.split(' ').map(decimal)),
      }))
    },
  }
}
