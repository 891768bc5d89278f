/**
 * Pages of the console's lists by keyset: a page begins after a row, so rows that come meanwhile move nothing. A filter
 * that no index answers is tested row by row, over `STEP_ROWS` rows at most in one step.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { ListSort } from '#lib/contract/operate/list-fields.ts'
import type { Tables } from '../database/schema.ts'
import type { Condition, ListOrder, ListTable, Path, Range } from './list-table.ts'

/** The most rows that one step looks at. SQLite answers nothing else meanwhile. */
const STEP_ROWS = 2000

/** The values of a row in the columns of the order. */
export type ListPlace = readonly (string | number)[]

export interface ListStepRequest<Filter, Sort extends string> {
  readonly filter: Filter
  readonly sort: ListSort<Sort>
  /** The row after which it begins; null: before the first row. */
  readonly after: ListPlace | null
  /** From that row towards the beginning of the list, nearest first. */
  readonly back: boolean
  readonly limit: number
}

export interface ListStep<Row> {
  readonly rows: readonly { readonly row: Row; readonly place: ListPlace }[]
  /** Where the next step begins, and the time of the row there in milliseconds; null: there are no more rows. */
  readonly next: { readonly place: ListPlace; readonly ms: number } | null
}

type Row = Readonly<Record<string, string | number>>

/** Ranges of an index in the order of the list, or a set of few rows, and what is tested row by row. */
interface Chosen {
  readonly path: { readonly ranges: readonly Range[] } | { readonly sets: readonly Condition[] }
  /** Implied by the bounds of the index, or nearly. */
  readonly times: readonly Condition[]
  readonly rest: readonly Condition[]
}

const and = (conditions: readonly Condition[]): Condition => sql<boolean>`${sql.join(conditions, sql` and `)}`

const unionOf = (parts: readonly RawBuilder<unknown>[], word: RawBuilder<unknown>): RawBuilder<unknown> =>
  parts.length === 1 && parts[0] !== undefined
    ? parts[0]
    : sql.join(
        parts.map((part) => sql`select * from (${part}) as chosen`),
        sql` ${word} `,
      )

const TIMES: readonly string[] = ['from', 'to']

/** Which path a filter takes. `isSmall` tells whether sets have few rows. */
async function choose<Filter extends object>(
  filter: Filter,
  { paths, bounds, exact }: ListOrder<Filter>,
  conditions: ListTable<Filter, string>['conditions'],
  isSmall: (sets: readonly Condition[]) => Promise<boolean>,
): Promise<Chosen> {
  const given = (Object.keys(conditions) as (keyof Filter & string)[]).flatMap((name) => {
    const value = filter[name]
    const condition = value === undefined || value === null ? null : conditions[name](value)
    return condition === null ? [] : [{ name, condition }]
  })
  for (const path of paths) {
    const found = partsOf(path, filter)
    if (found === null) continue
    const left = given.filter(({ name }) => !path.covers.includes(name))
    if ('sets' in found) {
      if (await isSmall(found.sets)) return { path: found, times: [], rest: left.map(({ condition }) => condition) }
      continue
    }
    const isBound = ({ name }: { readonly name: string }): boolean => bounds !== undefined && TIMES.includes(name)
    return {
      path: found,
      times: exact === true ? [] : left.filter(isBound).map(({ condition }) => condition),
      rest: left.filter((one) => !isBound(one)).map(({ condition }) => condition),
    }
  }
  throw new Error('no path suits the filter')
}

function partsOf<Filter>(path: Path<Filter>, filter: Filter): Chosen['path'] | null {
  if ('sets' in path) {
    const sets = path.sets(filter)
    return sets === null ? null : { sets }
  }
  const ranges = path.ranges(filter)
  return ranges === null ? null : { ranges }
}

/** Reads steps of one list. @param read the row that the database gives */
export const listSteps =
  <Filter extends object, Sort extends string, Read>(
    db: Kysely<Tables>,
    { table: name, columns: shown, time, conditions, orders }: ListTable<Filter, Sort>,
    read: (row: unknown) => Read,
    stepRows = STEP_ROWS,
  ) =>
  async ({ filter, sort, after, back, limit }: ListStepRequest<Filter, Sort>): Promise<ListStep<Read>> => {
    const { by, least, bounds } = orders[sort.by]
    const descending = sort.descending !== back
    const table = sql.table(name)
    const columns = sql.join(by.map((column) => sql.ref(column)))
    const order = sql.join(by.map((column) => sql`${sql.ref(column)} ${sql.raw(descending ? 'desc' : 'asc')}`))
    const compared = (sign: '<' | '>' | '<=' | '>=', place: ListPlace): Condition =>
      sql<boolean>`(${columns}) ${sql.raw(sign)} (${sql.join(place)})`
    const all = shown === undefined ? sql`*` : sql.join(shown.map((column) => sql.ref(column)))
    const placeOf = (row: Row): ListPlace => by.map((column) => row[column] ?? '')
    const nextOf = (row: Row) => ({ place: placeOf(row), ms: Number(row[time]) })
    const begin = after === null ? null : compared(descending ? '<' : '>', after)

    const rowsOf = async (query: RawBuilder<unknown>): Promise<readonly Row[]> =>
      (await (query as RawBuilder<Row>).execute(db)).rows

    const isSmall = async (sets: readonly Condition[]): Promise<boolean> => {
      const few = sets.map((set) => sql`select 1 as one from ${table} where ${set} limit ${stepRows + 1}`)
      const [row] = await rowsOf(sql`select count(*) as count from (${unionOf(few, sql`union all`)}) as chosen`)
      return Number(row?.['count']) <= stepRows
    }

    const { path, times, rest } = await choose(filter, orders[sort.by], conditions, isSmall)

    const answer = (rows: readonly Row[], edge: Row | undefined): ListStep<Read> => {
      const last = rows[limit - 1]
      const further = rows.length > limit && last !== undefined ? last : edge
      return {
        rows: rows.slice(0, limit).map((row) => ({ row: read(row), place: placeOf(row) })),
        next: further === undefined ? null : nextOf(further),
      }
    }

    if ('sets' in path) {
      const found = unionOf(
        path.sets.map((set) => sql`select ${all} from ${table} where ${set}`),
        sql`union`,
      )
      const wanted = begin === null ? rest : [...rest, begin]
      const where = wanted.length === 0 ? sql`` : sql`where ${and(wanted)}`
      return answer(
        await rowsOf(sql`with found as materialized (${found})
          select * from found ${where} order by ${order} limit ${limit + 1}`),
        undefined,
      )
    }

    const { from, to } = bounds?.(filter) ?? { from: null, to: null }
    /**
     * One bound of the index on each side, the narrowest: of several, SQLite takes any.
     * @param end the last row that this step looks at
     */
    const within = (range: Range, end: Condition | null): readonly Condition[] => {
      const [lower, upper] = descending ? [end ?? from, begin ?? to] : [begin ?? from, end ?? to]
      const parts = [range, lower, upper].filter((part) => part !== null)
      return parts.length > 0 ? parts : [sql<boolean>`${sql.ref(by[0] ?? '')} >= ${sql.lit(least)}`]
    }

    /** Rows of the ranges together. @param each the limit in each range @param together the limit of all */
    const inRanges = (
      what: RawBuilder<unknown>,
      end: Condition | null,
      tested: readonly Condition[],
      each: RawBuilder<unknown>,
      together: RawBuilder<unknown>,
    ) => {
      const parts = path.ranges.map((range) => {
        const found = (more: readonly Condition[], limited: RawBuilder<unknown>) =>
          sql`select ${what} from ${table} where ${and([...within(range, end), ...more])} order by ${order} ${limited}`
        if (end === null) return found(tested, each)
        // Tested outside, so that the database does not read by an index of what is tested.
        const looked = found([], sql`limit ${stepRows}`)
        return sql`select * from (${looked}) as found where ${and(tested)} order by ${order} ${each}`
      })
      return parts.length === 1
        ? unionOf(parts, sql``)
        : sql`${unionOf(parts, sql`union all`)} order by ${order} ${together}`
    }

    /** The last row that this step looks at, of the ranges together; undefined if it looks at all that are left. */
    const edgeOf = async (): Promise<Row | undefined> => {
      const of = Math.max(1, Math.floor(stepRows / path.ranges.length))
      const what = sql.join([...new Set([...by, time])].map((column) => sql.ref(column)))
      const [edge] = await rowsOf(inRanges(what, null, [], sql`limit 1 offset ${of - 1}`, sql`limit 1`))
      return edge
    }

    const page = sql`limit ${limit + 1}`
    const edge = rest.length === 0 ? undefined : await edgeOf()
    const end = edge === undefined ? null : compared(descending ? '>=' : '<=', placeOf(edge))
    return answer(await rowsOf(inRanges(all, end, [...times, ...rest], page, page)), edge)
  }
