import { Problem } from '#lib/contract/problems.ts'
import type { Endpoints } from '../http/handler.ts'

/** Whatever else stands below /api, whatever the method. */
export const notFound: Endpoints = {
  '*': () => Promise.reject(new Problem('not_found', 'There is nothing here.')),
}
