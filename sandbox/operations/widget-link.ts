import type { Context } from '../context.ts'

/** For the mode `widget_link`: a host where no cashier expects a provider's page. */
const ELSEWHERE = 'https://pay.example'

/** The address of a session's payment page. */
export const widgetLink = (linkToken: string, { modes, origin }: Context): string =>
  `${modes.read().widget_link === 'elsewhere' ? ELSEWHERE : origin}/widget/${linkToken}`
