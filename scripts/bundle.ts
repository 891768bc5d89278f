/**
 * `npm run bundle -- FOLDER`: copies what the operator's commands need, including Node, into a new folder that runs on a
 * machine without npm: `FOLDER/cashier start`. Needs `npm run build`.
 */
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { z } from 'zod'
import { COMMIT_FILE } from '#lib/server/runtime/version.ts'
import { buildIsFresh } from './build-age.ts'
import { INLINE_BUNDLE, PAGE_STYLE } from './build-embed.ts'
import { PROGRAM_COMMANDS } from './program/commands.ts'
import { COPIES } from './without-types.mjs'

const project = resolve(import.meta.dirname, '..')
/** The files of Next, and the files of React that it loads, as the build has traced them. */
const TRACED = '.next/standalone'

/** Next reads these when it starts, but the trace of the build lacks them. */
const UNTRACED = ['next/dist/compiled/webpack', 'next/dist/compiled/@babel/runtime/package.json'] as const

/** Commands of a newcomer's machine, which production has not. */
const TO_TRY = ['demo', 'sandbox'] as const

/** The modules of all commands. */
export const ALL_MODULES = [...Object.values(PROGRAM_COMMANDS).map(({ module }) => module), 'scripts/health.ts']
/** The modules of the operator's commands. `image.deployment.ts` tests that the bundle has everything they import. */
export const OPERATOR_MODULES = ALL_MODULES.filter(
  (module) => !TO_TRY.some((name) => module === PROGRAM_COMMANDS[name].module),
)

/** What starts a program with the Node that it needs. */
export const LAUNCHER = [
  'scripts/launch.mjs',
  'scripts/node-version.mjs',
  'scripts/installed-typescript.mjs',
  'scripts/without-types.mjs',
]

/** The program of a bundle, with its own Node. */
const START = `#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
exec "$folder/node" "$folder/scripts/cashier.mjs" "$@"
`

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  type: z.string(),
  imports: z.record(z.string(), z.unknown()),
})
const dependent = z.object({ dependencies: z.record(z.string(), z.string()).default({}) })
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

interface Needs {
  readonly files: readonly string[]
  readonly packages: ReadonlySet<string>
}

/** Our own files that the entries import, directly or through others, and the packages that those files import. */
export async function needsOf(entryPoints: readonly string[]): Promise<Needs> {
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: [...entryPoints],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    conditions: ['react-server'],
    metafile: true,
    write: false,
    outdir: 'unwritten',
    logLevel: 'error',
  })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports)
  const names = imported
    .filter(({ path, external = false }) => external && !path.startsWith('node:'))
    .map(({ path }) => (path.startsWith('@') ? path.split('/').slice(0, 2).join('/') : (path.split('/')[0] ?? '')))
  return { files: Object.keys(metafile.inputs), packages: new Set(names) }
}

const PACKAGES = join(project, 'node_modules')

/** Where a package in `folder` finds another one. @throws if it does not */
function folderOf(name: string, folder = project): string {
  for (let at = folder; at.startsWith(project); at = dirname(at)) {
    const found = join(at, 'node_modules', name)
    if (existsSync(found)) return found
  }
  throw new Error(`${folder} lacks ${name}`)
}

/** The packages with their dependencies. A package that lies in the folder of another one is copied with that one. */
export function withDependencies(names: Iterable<string>): ReadonlySet<string> {
  const seen = new Set<string>()
  const visit = (folder: string): void => {
    if (seen.has(folder)) return
    seen.add(folder)
    const { dependencies } = dependent.parse(read(join(folder, 'package.json')))
    for (const name of Object.keys(dependencies)) visit(folderOf(name, folder))
  }
  for (const name of names) visit(folderOf(name))
  return new Set([...seen].map((folder) => relative(PACKAGES, folder)).filter((name) => !name.includes('node_modules')))
}

/** Types and source maps are needed for development only. */
const FOR_DEVELOPMENT = /\.d\.[cm]?ts$|\.[cm]?[jt]s\.map$/
/** In packages also sources, tests, and copies of the code for compilers, which Node does not read. */
const UNREAD = /\.[cm]?ts$|\/bintrees\/test$|\/build\/(esm|esnext)$/

const isForRunning = (path: string): boolean =>
  !FOR_DEVELOPMENT.test(path) && !(path.includes('node_modules') && UNREAD.test(path))

/**
 * Copies a file or folder of the project. It copies all of `public`, because the cashier serves the types of its
 * script.
 */
export function copyPart(folder: string, from: string, to = from): void {
  const filter = from === 'public' ? () => true : isForRunning
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  cpSync(join(project, from), join(folder, to), { recursive: true, dereference: true, filter })
}

/**
 * Copies the server, its pages and these modules, with all packages that they import except `left`; not Node.
 * @param folder does not exist, or is empty
 */
export async function copyProgram(
  folder: string,
  modules: readonly string[],
  left: readonly string[] = [],
): Promise<void> {
  const copy = (from: string, to?: string): void => {
    copyPart(folder, from, to)
  }
  copy(`${TRACED}/node_modules`, 'node_modules')
  copy(`${TRACED}/.next`, '.next')
  for (const file of UNTRACED) copy(`node_modules/${file}`)
  copy('.next/static')
  if (existsSync(join(project, COMMIT_FILE))) copy(COMMIT_FILE)
  copy('public')
  copy(INLINE_BUNDLE)
  copy(PAGE_STYLE)
  copy('docs')
  for (const file of ['LICENSE', 'THIRD_PARTY_NOTICES', '.env.example', 'next.config.mjs']) copy(file)
  for (const file of [...LAUNCHER, 'scripts/cashier.mjs']) copy(file)

  const routes = globSync('app/**/route.ts', { cwd: project })
  const { files, packages } = await needsOf([...routes, 'scripts/program/main.ts', ...modules])
  for (const file of files) copy(file)
  // Next and React are in the traced part.
  const own = [...packages].filter((name) => !['next', 'react', 'react-dom', ...left].includes(name))
  for (const name of withDependencies(own)) copy(join('node_modules', name))
  const { name, version, license, type, imports } = manifest.parse(read(join(project, 'package.json')))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, license, type, imports, private: true }))
}

/** @param folder does not exist, or is empty */
export async function makeBundle(folder: string): Promise<void> {
  await copyProgram(folder, OPERATOR_MODULES)
  copyPart(folder, COPIES)
  copyPart(folder, 'node_modules/node/bin/node', 'node')
  writeFileSync(join(folder, 'cashier'), START)
  chmodSync(join(folder, 'cashier'), 0o755)
}

if (import.meta.main) {
  const [folder] = parseArgs({ allowPositionals: true }).positionals
  const taken = folder !== undefined && existsSync(folder) && globSync('*', { cwd: folder }).length > 0
  if (folder === undefined || taken) {
    console.error(taken ? `${folder} is not empty.` : 'Name a folder: npm run bundle -- /opt/cashier')
    process.exitCode = 2
  } else if (!buildIsFresh(project)) {
    console.error('There is no current build of these sources: run `npm run build` first.')
    process.exitCode = 1
  } else {
    await makeBundle(folder)
    console.log(`${folder}: start it by ${join(folder, 'cashier')} start`)
  }
}
