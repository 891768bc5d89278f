/** The values of the `{name}` segments of a page's address, decoded. */
export type PageParams = Readonly<Record<string, string>>

/** Whether a line of the quarantine is about a transaction, and not about a user's list or totals. */
export const namesTransaction = (subject: string | null): subject is string =>
  subject !== null && !subject.includes(' ')

export interface PageProps {
  readonly params: PageParams
}

/** Where the console begins. */
const ROOT = '/operate'

/** The address of a page of the console. @param path such as `/users/u-1`; empty for the landing page */
export const pageHref = (path: string): string => `${ROOT}${path}`

/** The pages that show one record, below the list of their kind. */
export type RecordPage = 'users' | 'transactions' | 'withdrawals' | 'payouts' | 'quarantine' | 'deliveries'

/** The address of the page of one record. */
export const recordHref = (page: RecordPage, id: string | number): string =>
  pageHref(`/${page}/${encodeURIComponent(id)}`)
