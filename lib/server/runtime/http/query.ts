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

/** The query of the merchant's lists. @throws Problem `invalid_request` */
export const readFeedQuery = (query: URLSearchParams): FeedQuery =>
  parseInput(feedQuery, singleValues(query, ['after', 'limit']))

/** The query of the quarantine. @throws Problem `invalid_request` */
export const readQuarantineQuery = (query: URLSearchParams): QuarantineQuery =>
  parseInput(quarantineQuery, singleValues(query, ['reason', 'state', 'after', 'limit']))
