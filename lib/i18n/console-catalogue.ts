/** The texts of the console, in English. For the server only. */
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
