import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstScript } from './first-script.ts'

let build = ''
beforeEach(() => {
  build = `${mkdtempSync(join(tmpdir(), 'first-script-'))}/`
})
afterEach(() => rmSync(build, { recursive: true }))

test('of the scripts that every page loads it is the smallest', () => {
  mkdirSync(`${build}static/chunks`, { recursive: true })
  const files = { 'static/chunks/react.js': 200, 'static/chunks/runtime.js': 10, 'static/chunks/other.js': 50 }
  for (const [file, size] of Object.entries(files)) writeFileSync(build + file, 'x'.repeat(size))
  writeFileSync(`${build}build-manifest.json`, JSON.stringify({ rootMainFiles: Object.keys(files), pages: {} }))
  expect(firstScript(build)).toBe('/_next/static/chunks/runtime.js')
})

test('without a production build there is none', () => {
  expect(firstScript(build)).toBeNull()
  writeFileSync(`${build}build-manifest.json`, JSON.stringify({ rootMainFiles: [] }))
  expect(firstScript(build)).toBeNull()
})
