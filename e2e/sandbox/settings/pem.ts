import { readFileSync } from 'node:fs'

/** PEM text from one of its spellings: itself, with `\n` written out, base64 of it, or `file:` and a path. */
export function readPem(given: string): string {
  if (given.startsWith('file:')) return readFileSync(given.slice('file:'.length), 'utf8')
  if (given.includes('-----BEGIN')) return given.replaceAll('\\n', '\n')
  return Buffer.from(given, 'base64').toString('utf8')
}
