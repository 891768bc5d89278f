/**
 * Holds every pattern that may meet a stranger's text: none takes more than linear time. A short text for an exponential
 * pattern, or a long one for a quadratic pattern, stops a process for everybody.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSync } from 'recheck'
import ts from 'typescript'
import { expect, test, vi } from 'vitest'

const root = join(import.meta.dirname, '..')
const SOURCES = ['{app,components,lib,sandbox,packages/{embed,server}}/**/*.{ts,tsx}', 'server.ts']
/** Tests and the texts that the sandbox sends itself: no stranger's text comes here. */
const OWN_TEXTS = /[.]test[.]tsx?$|^sandbox\/(?:conformance|scenarios)\//

interface Pattern {
  readonly at: string
  readonly source: string
  readonly flags: string
}

interface Found {
  readonly patterns: readonly Pattern[]
  /** Places of patterns that are put together at run time, so that nobody can judge them here. */
  readonly composed: readonly string[]
}

/** The patterns of a file. A text that `match` and the like turn into a pattern counts as composed. */
function patternsOf(path: string, text: string): Found {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const patterns: Pattern[] = []
  const composed: string[] = []
  const visit = (node: ts.Node): void => {
    const at = `${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      patterns.push({ at, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    if (ts.isIdentifier(node) && node.text === 'RegExp' && isCalled(node)) composed.push(at)
    ts.forEachChild(node, (child) => {
      Object.assign(child, { parent: node })
      visit(child)
    })
  }
  visit(source)
  return { patterns, composed }
}

const isCalled = ({ parent }: ts.Node): boolean => ts.isNewExpression(parent) || ts.isCallExpression(parent)

/** Without a repetition, a pattern reads each place of a text a bounded number of times. */
const repeats = ({ source }: Pattern): boolean => /[*+{]/.test(source)

/** A tenth of the usual effort, which finds the samples below; what it cannot decide in time is a fault. */
const LIMITS = { timeout: 300_000, maxIteration: 3, incubationLimit: 5000, maxInitialGenerationSize: 100 }

/** Null if the pattern is linear; else what is wrong with it, with a text that shows it. */
function faultOf({ at, source, flags }: Pattern): string | null {
  const verdict = checkSync(source, flags, LIMITS)
  if (verdict.status === 'safe') return null
  const why = verdict.status === 'vulnerable' ? `${verdict.complexity.summary}: ${verdict.attack.pattern}` : 'undecided'
  return `${at} /${source}/${flags} is ${why}`
}

const judgeHere = (): void => void vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure')

test.each([
  String.raw`/^(?:[\w -]+|"[\w -]+")(?:,\s*(?:[\w -]+|"[\w -]+"))*$/`,
  String.raw`/[T ]\d{2}:\d{2}[^Z+-]*$/i`,
  String.raw`/\/+$/`,
  String.raw`/^[\d.,]*\d[\d.,]*$/`,
  String.raw`/^!+=\s*(.*?)\s*$/`,
])('%s would be found', (literal) => {
  judgeHere()
  const { patterns } = patternsOf('a.ts', `export const found = (text: string) => ${literal}.test(text)`)
  expect(patterns.map(faultOf)).toEqual([expect.stringContaining('a.ts:1 ')])
})

test('a pattern that is composed at run time would be found', () => {
  const text = "const type = /a/ as RegExp\nnew RegExp(`^${'a'}`)\nRegExp('b', 'g')"
  expect(patternsOf('a.ts', text)).toMatchObject({ patterns: [{ source: 'a' }], composed: ['a.ts:2', 'a.ts:3'] })
})

test('every pattern is a literal of linear time', () => {
  judgeHere()
  const files = SOURCES.flatMap((glob) => globSync(glob, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }))
    .filter((path) => !OWN_TEXTS.test(path))
    .map((path) => patternsOf(path, readFileSync(join(root, path), 'utf8')))
  const patterns = files.flatMap((found) => found.patterns)
  expect(files.flatMap(({ composed }) => composed)).toEqual([])
  expect(patterns.length).toBeGreaterThan(150)
  const different = new Map(patterns.filter(repeats).map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]))
  expect([...different.values()].flatMap((pattern) => faultOf(pattern) ?? [])).toEqual([])
})
