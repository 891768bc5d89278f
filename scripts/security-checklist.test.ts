import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const checklist = readFileSync(`${root}docs/internal/security-checklist.md`, 'utf8')

test('every file that the checklist names exists', () => {
  const named = [
    ...checklist.matchAll(
      /`((?:app|lib|e2e|examples|sandbox|scripts|components|docs)\/[^`\s,]+|server\.ts|package-lock\.json)`/g,
    ),
  ]
  const paths = [...new Set(named.map(([, path]) => path ?? ''))]
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(root + path))).toEqual([])
})

test('every heading that it links to exists', () => {
  const links = [...checklist.matchAll(/\]\(([\w./-]+\.md)(?:#([\w-]+))?\)/g)]
  expect(links.length).toBeGreaterThan(8)
  for (const [, file = '', anchor] of links) {
    const text = readFileSync(new URL(file, `file://${root}docs/internal/`), 'utf8')
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s+/g, '-'),
    )
    if (anchor !== undefined) expect([file, headings]).toEqual([file, expect.arrayContaining([anchor])])
  }
})

test('each line names its evidence: a test, the code in brackets, or a document', () => {
  const lines = checklist.split('\n').filter((line) => /^- \d/.test(line))
  expect(lines.length).toBeGreaterThan(60)
  const bare = lines.filter((line) => !/`[^`]+\.(?:test|spec)\.ts`|\(`[^`]+`|\]\([^)]+\.md/.test(line))
  expect(bare).toEqual([])
})

test('the server starts no other program', () => {
  const own = globSync(['{lib,app,components}/**/*.{ts,tsx}', 'server.ts'], { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|\/testing\//.test(file),
  )
  expect(own.length).toBeGreaterThan(300)
  expect(own.filter((file) => /node:(?:child_process|cluster)/.test(readFileSync(root + file, 'utf8')))).toEqual([])
})
