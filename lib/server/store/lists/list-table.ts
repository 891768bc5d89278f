/** What a list of the console says about its table (`transactions-list.ts` and the others), and how its SQL is written. */
import { sql, type RawBuilder } from 'kysely'
import type { Decimal } from '#lib/contract/money.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'

export type Condition = RawBuilder<boolean>

/** Null: the whole index. */
export type Range = Condition | null
export const WHOLE_INDEX: readonly Range[] = [null]

/** How rows are found through an index. */
export type Path<Filter> = {
  /** The filters that `ranges` or `sets` answers. */
  readonly covers: readonly (keyof Filter)[]
} & (
  | {
      /** Each is a part of an index in the order of the list, or the whole; null: the path does not suit the filter. */
      readonly ranges: (filter: Filter) => readonly Range[] | null
    }
  | {
      /** Together they are the rows, in no order: used if they are few. */
      readonly sets: (filter: Filter) => readonly Condition[] | null
    }
)

/** An order of the list. */
export interface ListOrder<Filter> {
  /** The columns; together they are unique. */
  readonly by: readonly string[]
  /** No row is before this in the first of these columns. */
  readonly least: 0 | ''
  /** The bounds of the first of these columns by `from` and `to`. */
  readonly bounds?: (filter: Filter) => TimeBounds
  /** True if rows within the bounds need not be tested for their times. */
  readonly exact?: true
  /** The first one that suits a filter is used; the last one suits each. */
  readonly paths: readonly Path<Filter>[]
}

export interface TimeBounds {
  readonly from: Condition | null
  readonly to: Condition | null
}

export interface ListTable<Filter, Sort extends string> {
  readonly table: string
  /** All columns if left out. */
  readonly columns?: readonly string[]
  /** The column of the time by which a list is searched, in milliseconds. */
  readonly time: string
  /** Null: the value leaves nothing out. */
  readonly conditions: { readonly [K in keyof Filter]-?: (value: NonNullable<Filter[K]>) => Condition | null }
  readonly orders: Readonly<Record<Sort, ListOrder<Filter>>>
}

/** One text for any number of values. */
export const among = (flavour: Flavour, column: string, values: readonly string[]): Condition =>
  flavour === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${sql.ref(column)} = any(${values}::text[])`

export const equalTo = (column: string) => (value: string) => sql<boolean>`${sql.ref(column)} = ${value}`

/** As literals, since partial indexes are not used for parameters. */
export const literals = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)))

interface TimeFilter {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** From `from` on, and before `to`. */
export const timesOf = (column: string) => ({
  from: (ms: number) => sql<boolean>`${sql.ref(column)} >= ${ms}`,
  to: (ms: number) => sql<boolean>`${sql.ref(column)} < ${ms}`,
})

/** The same as the bounds of an index. */
export const timeBounds =
  (column: string) =>
  ({ from, to }: TimeFilter): TimeBounds => ({
    from: from === undefined ? null : timesOf(column).from(from),
    to: to === undefined ? null : timesOf(column).to(to),
  })

const WIDTH = 80
const ZEROS = '0'.repeat(WIDTH)

/**
 * SQLite has no decimals: the digits before the point with zeros in front, and those after it without zeros at the end,
 * compare as text. For amounts that are not negative.
 */
const comparable = (amount: RawBuilder<unknown>) => {
  const point = sql`instr(${amount} || '.', '.')`
  return sql`substr(${sql.lit(ZEROS)} || substr(${amount}, 1, ${point} - 1), ${sql.lit(-WIDTH)})
    || rtrim(substr(${amount}, ${point} + 1), '0')`
}

/** The range of an amount as a number: a negative amount passes no lower bound. */
export const amountBounds = (flavour: Flavour, column: string) => {
  const compare = (sign: '>=' | '<=', bound: Decimal): Condition => {
    const amount = sql.ref(column)
    if (flavour === 'postgres') return sql<boolean>`${amount}::numeric ${sql.raw(sign)} ${bound}::numeric`
    const isNegative = sql<boolean>`${amount} like '-%'`
    const other = sql<boolean>`${comparable(amount)} ${sql.raw(sign)} ${comparable(sql`${bound}`)}`
    return sign === '>=' ? sql<boolean>`(not ${isNegative} and ${other})` : sql<boolean>`(${isNegative} or ${other})`
  }
  return { amount_from: (bound: Decimal) => compare('>=', bound), amount_to: (bound: Decimal) => compare('<=', bound) }
}
