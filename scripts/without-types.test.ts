import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { COPIES, copyName } from './without-types.mjs'

const SOURCE = `const word: string = 'source'\nconsole.log(word)\n`
const START = `import { useCopies } from './without-types.mjs'\nuseCopies()\nawait import('../program.ts')\n`

let root = ''
const printed = (): string => execFileSync(process.execPath, [join(root, 'scripts/start.mjs')], { encoding: 'utf8' })
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'without-types-'))
  for (const folder of ['scripts', COPIES]) mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(resolve(import.meta.dirname, 'without-types.mjs'), join(root, 'scripts/without-types.mjs'))
  writeFileSync(join(root, 'scripts/start.mjs'), START)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(join(root, 'program.ts'), SOURCE)
  writeFileSync(join(root, COPIES, copyName(SOURCE)), `console.log('copy')\n`)
})
afterEach(() => rmSync(root, { recursive: true }))

test('a source is run from its copy without types', () => {
  expect(printed()).toBe('copy\n')
})

test('a source that has changed since the build is run itself', () => {
  writeFileSync(join(root, 'program.ts'), SOURCE.replace('source', 'changed'))
  expect(printed()).toBe('changed\n')
})

test('without a build the sources are run', () => {
  rmSync(join(root, COPIES), { recursive: true })
  expect(printed()).toBe('source\n')
})
