import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { satisfies } from 'semver'
import { z } from 'zod'

const text = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')
const names = z.record(z.string(), z.string()).default({})
const locked = z.object({
  version: z.string().optional(),
  deprecated: z.string().optional(),
  optional: z.boolean().default(false),
  engines: z.union([names, z.array(z.string()).transform((): Record<string, string> => ({}))]),
  dependencies: names,
  optionalDependencies: names,
})
const { packages } = z.object({ packages: z.record(z.string(), locked) }).parse(JSON.parse(text))

/** The paths where Node looks for a package that `from` imports, nearest first. */
function places(from: string, name: string): string[] {
  const folders = from.split(/(?:^|\/)node_modules\//).slice(1)
  const above = folders.map((_item, depth) =>
    folders
      .slice(0, depth + 1)
      .map((folder) => `node_modules/${folder}`)
      .join('/'),
  )
  return [...above.reverse().map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`]
}

test('the lockfile names no registry, so that everybody can use their own', () => {
  expect(text).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/)
})

test('it has the binaries of every platform: `npm ci` refuses a lockfile without those of its platform', () => {
  const missing = Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter(
      (name) => !places(from, name).some((place) => place in packages),
    ),
  )
  expect(missing).toEqual([])
})

test('.npmrc hides no true warning: the packages accept the installed Node, and no package is deprecated', () => {
  const node = packages['node_modules/node']?.version ?? ''
  // npm skips an optional package without a warning.
  const needed = Object.entries(packages).filter(([, { optional }]) => !optional)
  const refusing = needed.filter(([, { engines }]) => !satisfies(node, engines['node'] ?? '*'))
  expect(refusing.map(([name]) => name)).toEqual([])
  const deprecated = Object.entries(packages).filter(([, one]) => one.deprecated !== undefined)
  expect(deprecated.map(([name]) => name)).toEqual([])
})
