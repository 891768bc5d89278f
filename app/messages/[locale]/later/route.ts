import { loadLaterCatalogue } from '#lib/i18n/catalogue.ts'
import { publicMessages } from '../../public-messages.ts'

/** The texts of parts that are loaded later, in one language. */
export const GET = publicMessages('messages.later', loadLaterCatalogue)
export const HEAD = GET
