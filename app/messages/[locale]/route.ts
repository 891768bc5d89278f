import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { publicMessages } from '../public-messages.ts'

/** The catalogue of one language, for a switch without a reload. */
export const GET = publicMessages('messages', loadCatalogue)
export const HEAD = GET
