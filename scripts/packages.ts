/** `npm run packages`: builds packages/ and packs each into `.cache/packages/`. */
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { testingTexts } from './testing-texts.ts'

export const PACKAGES = ['embed', 'server', 'testing'] as const
type PackageName = (typeof PACKAGES)[number]

/** The types of the script without the global variable, which a package must not declare. */
export const scriptTypes = (declarations: string): string =>
  `/** Written by \`npm run packages\` from public/embed.d.ts. */\n${declarations.replace(/\ndeclare global \{[\s\S]*$/, '')}`

/** TypeScript rewrites imports to `.js` in its JavaScript output, but leaves `.ts` in declaration files. */
function rewriteDeclarations(folder: string): void {
  for (const file of globSync(join(folder, 'dist/*.d.ts'))) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}

/**
 * Builds and packs one package. Returns the path of its tarball. @param stamp changes the copy before it is packed
 * @throws on type errors
 */
export function packPackage(name: PackageName, into: string, stamp: (copy: string) => void = () => undefined): string {
  const folder = resolve('packages', name)
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], { stdio: 'pipe' })
  rewriteDeclarations(folder)
  mkdirSync(into, { recursive: true })
  const copy = mkdtempSync(join(tmpdir(), 'cashier-package-'))
  try {
    cpSync(folder, copy, { recursive: true })
    copyFileSync('LICENSE', join(copy, 'LICENSE'))
    stamp(copy)
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
      cwd: copy,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
    // The names of all artifacts begin alike.
    const tarball = join(into, filename.replace(/^crypto-/, ''))
    renameSync(join(into, filename), tarball)
    return tarball
  } finally {
    rmSync(copy, { recursive: true })
  }
}

if (import.meta.main) {
  writeFileSync('packages/embed/src/script.ts', scriptTypes(readFileSync('public/embed.d.ts', 'utf8')))
  writeFileSync('packages/testing/src/texts.ts', await testingTexts())
  for (const name of PACKAGES) console.log(packPackage(name, resolve('.cache/packages')))
}
