import { isListName, LIST_QUERIES, type ListName, type ListQuery } from '#lib/contract/operate/lists.ts'
import { Problem } from '#lib/contract/problems.ts'
import { merchantValues } from './query.ts'
import { parseInput } from './request-body.ts'

/** The list that a path names. @throws Problem `not_found` */
export function readListName(name: string | undefined): ListName {
  if (name !== undefined && isListName(name)) return name
  throw new Problem('not_found', 'There is no such list.')
}

/** The query of a list of the console. @throws Problem `invalid_request` with all faults, also for an unknown name */
export function readListQuery(list: ListName, query: URLSearchParams): ListQuery {
  const schema = LIST_QUERIES[list]
  return parseInput(schema, merchantValues(query, Object.keys(schema.shape)))
}
