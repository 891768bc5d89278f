import { createRecentCurrencies } from '#lib/browser/recent-currencies.ts'

/** Of this page; across visits where the browser lets it. */
export const recent = createRecentCurrencies(() => localStorage)
