import type { Context } from '../context.ts'

/** Of the mode `widget_link`: a host that no cashier should expect a provider's page at. */
const ELSEWHERE = 'https://pay.example'

/** The address of a session's payment page. */
export const widgetLink = (linkToken: string, { modes, origin }: Context): string =>
  `${modes.read().widget_link === 'elsewhere' ? ELSEWHERE : origin}/widget/${linkToken}`
