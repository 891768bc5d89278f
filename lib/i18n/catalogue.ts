/** Loads one language for the page: its messages compiled, its number marks. For the server only. */
import type { Locale } from '#lib/contract/cashier.ts'
import { compileMessage } from './compile.ts'
import type { CompiledMessage } from './compiled-message.ts'
import { numberMarks } from './decimal-format.ts'
import { messageFiles } from './messages.ts'
import type { Catalogue, MessageKey } from './translator.ts'

const loaded = new Map<Locale, Promise<Catalogue>>()

/** The catalogue of a language; compiled once a process. */
export function loadCatalogue(locale: Locale): Promise<Catalogue> {
  let catalogue = loaded.get(locale)
  if (!catalogue) {
    catalogue = compileCatalogue(locale)
    loaded.set(locale, catalogue)
  }
  return catalogue
}

async function compileCatalogue(locale: Locale): Promise<Catalogue> {
  const source = await messageFiles[locale]()
  const messages = Object.fromEntries(
    Object.entries(source).map(([key, text]) => [key, compileMessage(text)]),
  ) as Record<MessageKey, CompiledMessage>
  return { locale, marks: numberMarks(locale), messages }
}
