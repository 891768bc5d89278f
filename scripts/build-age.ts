import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { COPIES } from './without-types.mjs'

/** The inputs of the production build. */
const SOURCES = [
  'app',
  'components',
  'lib',
  'next.config.mjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
const RESULTS = ['.next/BUILD_ID', 'public/embed.js', 'public/embed/v1.js', COPIES]

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function* filesOf(path: string): Generator<string> {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isDirectory()) {
    for (const name of readdirSync(path)) yield* filesOf(join(path, name))
  } else if (stat) {
    yield path
  }
}

/**
 * Whether every output of a build exists and is newer than every source file (tests do not count). It does not notice a
 * deleted or renamed file, so a release does not rely on it.
 */
export function buildIsFresh(root: string): boolean {
  const built = RESULTS.map((result) => changedAt(join(root, result)))
  const oldest = Math.min(...built.map((at) => at ?? 0))
  for (const source of SOURCES) {
    for (const file of filesOf(join(root, source))) {
      if (!/[.]test[.]tsx?$/.test(file) && (changedAt(file) ?? 0) > oldest) return false
    }
  }
  return oldest > 0
}
