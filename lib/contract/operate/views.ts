/** Views of lists that operators save, each for themselves. */
import * as z from 'zod/mini'
import { plainTextField } from '../plain-text.ts'
import { patternField } from '../request-fields.ts'

/** The lists of the console that have views. */
export const VIEWED_LISTS = ['transactions', 'withdrawals', 'payouts', 'quarantine', 'deliveries', 'audit'] as const
export type ViewedList = (typeof VIEWED_LISTS)[number]

export const MOST_VIEWS = 50
const viewName = plainTextField(60)
/** The query of the list's address, without its page: filters, order and columns. */
const viewQuery = patternField(/^[!-~]{0,2000}$/, 'must be a query of at most 2000 visible ASCII characters')

/** `POST /api/operate/views` */
export const newView = z.strictObject({
  list: z.enum(VIEWED_LISTS, { error: `must be one of ${VIEWED_LISTS.join(', ')}` }),
  name: viewName,
  query: viewQuery,
})
export type NewView = z.output<typeof newView>

/** `PUT /api/operate/views/{id}`: what is left out stays. */
export const viewChange = z.strictObject({ name: z.exactOptional(viewName), query: z.exactOptional(viewQuery) })
export type ViewChange = z.output<typeof viewChange>

export const savedView = z.object({ id: z.string(), list: z.enum(VIEWED_LISTS), name: z.string(), query: z.string() })
export type SavedView = z.output<typeof savedView>

/** The answer of `GET /api/operate/views`: by list and name. */
export const savedViews = z.object({ views: z.array(savedView) })
