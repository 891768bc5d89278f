import { feedQuery, quarantineQuery, type FeedQuery, type QuarantineQuery } from '#lib/contract/merchant-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { parseInput } from './request-body.ts'

/** The values of a query. @throws Problem `invalid_request` where a name stands twice */
export function singleValues<const N extends string>(
  query: URLSearchParams,
  names: readonly N[],
): Partial<Record<N, string>> {
  const values: Partial<Record<N, string>> = {}
  for (const name of names) {
    const [value, ...more] = query.getAll(name)
    if (more.length > 0) {
      throw new Problem('invalid_request', `Not valid: ${name}.`, { errors: { [name]: ['must stand once'] } })
    }
    if (value !== undefined) values[name] = value
  }
  return values
}

/** The same for a call of the merchant, where a value that is empty counts as left out: `?after=` of a first page. */
export const nonEmptyValues = <const N extends string>(
  query: URLSearchParams,
  names: readonly N[],
): Partial<Record<N, string>> => {
  const values = singleValues(query, names)
  for (const name of names) if (values[name] === '') Reflect.deleteProperty(values, name)
  return values
}

/** The query of the merchant's lists. @throws Problem `invalid_request` */
export const readFeedQuery = (query: URLSearchParams): FeedQuery =>
  parseInput(feedQuery, nonEmptyValues(query, ['after', 'limit']))

/** The query of the quarantine. @throws Problem `invalid_request` */
export const readQuarantineQuery = (query: URLSearchParams): QuarantineQuery =>
  parseInput(quarantineQuery, nonEmptyValues(query, ['reason', 'state', 'after', 'limit']))
