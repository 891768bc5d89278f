/** THIRD_PARTY_NOTICES: the shipped packages, and the licence texts in the installed packages. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noticeLine, noticeLines, type Dependency } from './dependencies.ts'

const ROOT = join(import.meta.dirname, '..')
const TEXTS = '*{LICENSE,LICENCE,License,license,NOTICE}*'
/**
 * Licences inside packages: Next contains other packages, and `node` contains the Node binary, which a bundle has too.
 */
const WITHIN: Readonly<Record<string, string>> = {
  next: 'dist/compiled/{*,@*/*}/{LICENSE,LICENCE,license,NOTICE}*',
  node: 'node_modules/node-*/LICENSE',
}

const readText = (file: string): string => readFileSync(file, 'utf8').replaceAll('\r', '').trim()

/**
 * Each text once, with the packages that it applies to. Packages of other platforms are not installed, so their texts
 * are missing.
 */
export function licenceTexts(dependencies: readonly Dependency[]): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, Set<string>>()
  const add = (text: string, name: string): void => void texts.set(text, (texts.get(text) ?? new Set()).add(name))
  for (const one of dependencies.filter(({ dev }) => !dev)) {
    const folder = join(ROOT, one.path)
    for (const file of globSync(TEXTS, { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile()))
      add(readText(join(folder, file.name)), noticeLine(one))
    for (const file of globSync(WITHIN[one.name] ?? [], { cwd: folder }).toSorted())
      add(readText(join(folder, file)), `${noticeLine(one)}: ${file}`)
  }
  return new Map(Array.from(texts, ([text, names]) => [text, [...names].toSorted()] as const))
}

/** @throws when the licences inside an installed package are missing */
export function noticesOf(dependencies: readonly Dependency[]): string {
  for (const [name, files] of Object.entries(WITHIN))
    if (globSync(files, { cwd: join(ROOT, 'node_modules', name) }).length === 0)
      throw new Error(`node_modules/${name} has no ${files}: run npm ci, with its scripts`)
  const head = 'Packages that the cashier ships, with their licences. Made by `npm run audit:deps -- --write`.'
  const texts = Array.from(licenceTexts(dependencies), ([text, names]) => `${names.join('\n')}\n\n${text}`)
  return `${[`${head}\n\n${noticeLines(dependencies).join('\n')}`, ...texts.toSorted()].join('\n\n---\n\n')}\n`
}
