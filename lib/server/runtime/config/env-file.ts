import { parseEnv } from 'node:util'
import type { Environment } from './config.ts'

export interface EnvFile {
  readonly values: Environment
  /** The whole values that the parser cut off at a `#`, by name: without quotes it begins a comment. */
  readonly cut: Environment
}

/** A `#` inside a word, which is seldom meant as a comment. */
const INSIDE = /(?<=[^\s=])#/g
/** Stands for it, so that the parser goes on. */
const MARK = '\u0001'

/** Reads `.env` as Node does. */
export function readEnvFile(text: string): EnvFile {
  const values = parseEnv(text)
  const whole = Object.entries(parseEnv(text.replaceAll(INSIDE, MARK))).map(
    ([name, value = '']) => [name, value.replaceAll(MARK, '#')] as const,
  )
  return { values, cut: Object.fromEntries(whole.filter(([name, value]) => value !== values[name])) }
}
