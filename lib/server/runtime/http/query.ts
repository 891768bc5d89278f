import {
  feedQuery,
  quarantineQuery,
  statementQuery,
  type FeedQuery,
  type QuarantineQuery,
  type StatementQuery,
} from '#lib/contract/merchant-requests.ts'
import {
  payoutsQuery,
  withdrawalsQuery,
  type PayoutsQuery,
  type WithdrawalsQuery,
} from '#lib/contract/withdrawal-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { parseInput } from './request-body.ts'

/** The values of a query. @throws Problem `invalid_request` for a repeated name */
export function singleValues<const N extends string>(
  query: URLSearchParams,
  names: readonly N[],
): Partial<Record<N, string>> {
  const values: Partial<Record<N, string>> = {}
  for (const name of names) {
    const [value, ...more] = query.getAll(name)
    if (more.length > 0) {
      throw new Problem('invalid_request', `Not valid: ${name}.`, { errors: { [name]: ['must not be repeated'] } })
    }
    if (value !== undefined) values[name] = value
  }
  return values
}

/**
 * Refuses unknown names: with a misspelled filter or cursor, the answer would have more than was requested.
 * @throws Problem `invalid_request` with each name that the call does not have
 */
function refuseUnknown(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const what = known.length > 0 ? `known: ${known.join(', ')}` : 'it has none'
  throw new Problem('invalid_request', `Not valid: ${unknown.join(', ')}.`, {
    errors: Object.fromEntries(unknown.map((name) => [name, [`is not a parameter of this call; ${what}`]])),
  })
}

/**
 * The query of a merchant's call, in which an empty value counts as left out: `?after=` for the first page.
 * @param repeatable further names, which may be repeated
 * @throws Problem `invalid_request` for an unknown name, or a repeated name
 */
export function merchantValues<const N extends string>(
  query: URLSearchParams,
  names: readonly N[],
  repeatable: readonly string[] = [],
): Partial<Record<N, string>> {
  refuseUnknown(query, [...names, ...repeatable])
  const values = singleValues(query, names)
  for (const name of names) if (values[name] === '') Reflect.deleteProperty(values, name)
  return values
}

/** For a merchant's read without a query. @throws Problem `invalid_request` */
export const refuseQuery = (query: URLSearchParams): void => {
  refuseUnknown(query, [])
}

/** The query of the merchant's lists. @throws Problem `invalid_request` */
export const readFeedQuery = (query: URLSearchParams): FeedQuery =>
  parseInput(feedQuery, merchantValues(query, ['after', 'limit']))

/** The query of the list of withdrawals. @throws Problem `invalid_request` */
export const readWithdrawalsQuery = (query: URLSearchParams): WithdrawalsQuery =>
  parseInput(withdrawalsQuery, merchantValues(query, ['status', 'user_reference_id', 'after', 'limit']))

/** The query of the statement. @throws Problem `invalid_request` */
export const readStatementQuery = (query: URLSearchParams): StatementQuery =>
  parseInput(statementQuery, merchantValues(query, ['from', 'to', 'user_reference_id']))

/** The query of the list of payouts. @throws Problem `invalid_request` */
export const readPayoutsQuery = (query: URLSearchParams): PayoutsQuery =>
  parseInput(payoutsQuery, merchantValues(query, ['owner', 'user_reference_id', 'after', 'limit']))

/** The query of the quarantine. @throws Problem `invalid_request` */
export const readQuarantineQuery = (query: URLSearchParams): QuarantineQuery =>
  parseInput(quarantineQuery, merchantValues(query, ['reason', 'state', 'after', 'limit']))
