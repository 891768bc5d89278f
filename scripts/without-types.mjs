/**
 * Lets Node run our TypeScript from copies without types, which `npm run build` writes. Node's own compiler costs a
 * server time at its start, and 14 MB for ever. The name of a copy is the hash of its source: a source that has changed
 * since the build has none, and Node reads it as it is.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = new URL('../', import.meta.url)

/** In the program's folder. */
export const COPIES = '.next/without-types'

/** @param {string} source */
export const copyName = (source) => `${hash('sha256', source)}.js`

/** @param {string} path */
function readCopy(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

export function useCopies() {
  const copies = join(fileURLToPath(PROGRAM), COPIES)
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(PROGRAM.href) || !url.endsWith('.ts')) return next(url, context)
      const copy = readCopy(join(copies, copyName(readFileSync(fileURLToPath(url), 'utf8'))))
      return copy === null ? next(url, context) : { format: 'module', source: copy, shortCircuit: true }
    },
  })
}
