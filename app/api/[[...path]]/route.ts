import { Problem } from '#lib/contract/problems.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'

/** Any other path below /api, with any method. */
const notFound = handler('not-found', () => Promise.reject(new Problem('not_found', 'There is nothing here.')))

export {
  notFound as GET,
  notFound as HEAD,
  notFound as POST,
  notFound as PUT,
  notFound as PATCH,
  notFound as DELETE,
  notFound as OPTIONS,
}
