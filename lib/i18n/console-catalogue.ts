/** The texts of the console, in English. For the server only. */
import { loadCatalogue } from './catalogue.ts'
import { compileMessage } from './compile.ts'
import type { CompiledMessage } from './compiled-message.ts'
import { numberMarks } from './decimal-format.ts'
import source from './messages/operate/en.json' with { type: 'json' }
import type { Catalogue } from './translator.ts'

export type ConsoleKey = keyof typeof source

export interface ConsoleCatalogue extends Pick<Catalogue, 'locale' | 'marks'> {
  readonly messages: Readonly<Record<ConsoleKey, CompiledMessage>>
}

let compiled: ConsoleCatalogue | null = null

/** Compiled once per process. */
export function loadConsoleCatalogue(): ConsoleCatalogue {
  compiled ??= {
    locale: 'en',
    marks: numberMarks('en'),
    messages: Object.fromEntries(
      Object.entries(source).map(([key, text]) => [key, compileMessage(text)]),
    ) as ConsoleCatalogue['messages'],
  }
  return compiled
}

/** What the components say that the console shares with the cashier. */
const SHARED: ReadonlySet<string> = new Set([
  'common.close',
  'common.copied',
  'common.copySelected',
  'common.newTab',
  'details.copyField',
])

/** The cashier's catalogue with the texts of shared components alone: no other component of it may be rendered. */
export async function loadSharedTexts(): Promise<Catalogue> {
  const { messages, ...rest } = await loadCatalogue('en')
  const shared = Object.entries(messages).filter(([key]) => SHARED.has(key))
  return { ...rest, messages: Object.fromEntries(shared) as Catalogue['messages'] }
}
