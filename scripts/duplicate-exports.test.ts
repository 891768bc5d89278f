import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Sandbox, examples and the models of the simulator share no code with the product: each may have its own `Currency`. */
const packages: Readonly<Record<string, string>> = {
  product: '{app,bench,components,e2e,lib,scripts}/**/*.{ts,tsx}',
  simulator: 'simulation/**/*.ts',
  sandbox: 'sandbox/**/*.ts',
  shop: 'examples/shop/**/*.ts',
}

/** Names that Next requires of every page or route file. */
const NEXT_NAMES = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS metadata generateMetadata viewport generateViewport generateStaticParams dynamic dynamicParams revalidate runtime preferredRegion maxDuration'.split(
    ' ',
  ),
)

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
  !(ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)

function bindingNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : bindingNames(element.name)))
}

/** The names that a file declares and exports; names that it re-exports belong to another file. */
function exportedNames(path: string, text: string): ReadonlySet<string> {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const names = source.statements.flatMap((statement): readonly string[] => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement
      if (moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return []
      return exportClause.elements.map(({ name }) => name.text)
    }
    if (!isExported(statement)) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => bindingNames(name))
    }
    if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    ) {
      return statement.name ? [statement.name.text] : []
    }
    return []
  })
  return new Set(names)
}

function duplicates(files: readonly (readonly [path: string, text: string])[]): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, string[]>()
  for (const [path, text] of files) {
    for (const name of exportedNames(path, text)) {
      if (path.startsWith('app/') && NEXT_NAMES.has(name)) continue
      paths.set(name, [...(paths.get(name) ?? []), path])
    }
  }
  return new Map([...paths].filter(([, declaredIn]) => declaredIn.length > 1))
}

test('declarations of every kind count, re-exports do not', () => {
  const first = `export interface A {}
    export type B = string
    export const [C, { d: D }] = [1, { d: 2 }]
    export function F() {}
    export class G {}
    const H = 1
    export { H }
    export default function I() {}`
  const second = `export const A = 1, B = 2, C = 3, D = 4, F = 5, G = 6, H = 7, I = 8`
  const third = `export { A, type B } from './first.ts'
    export * from './second.ts'`
  const found = duplicates([
    ['lib/first.ts', first],
    ['lib/second.ts', second],
    ['lib/third.ts', third],
    ['app/a/route.ts', 'export const GET = 1'],
    ['app/b/route.ts', 'export const GET = 2'],
  ])
  expect([...found.keys()]).toEqual(['A', 'B', 'C', 'D', 'F', 'G', 'H'])
  expect(found.get('A')).toEqual(['lib/first.ts', 'lib/second.ts'])
})

test.each(Object.entries(packages))('in the %s, no two files export the same name', (_name, pattern) => {
  const files = globSync(pattern, { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  expect(files.length).toBeGreaterThan(5)
  expect([...duplicates(files)]).toEqual([])
})
