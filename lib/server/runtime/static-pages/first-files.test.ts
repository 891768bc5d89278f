import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { firstFiles } from './first-files.ts'

const folder = `${mkdtempSync(join(tmpdir(), 'cashier-build-'))}/`
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('without a build there is nothing to preload', () => {
  expect(firstFiles(folder)).toEqual([])
})

test('the files are the styles of the first page, each once, and the large scripts of all pages', () => {
  const page = join(folder, 'server/app/c/[session]/deposit')
  mkdirSync(page, { recursive: true })
  mkdirSync(join(folder, 'static/chunks'), { recursive: true })
  const bytes = { a: 20_000, b: 30_000, small: 19_999 }
  for (const [name, size] of Object.entries(bytes))
    writeFileSync(join(folder, `static/chunks/${name}.js`), Buffer.alloc(size))
  const common = { rootMainFiles: Object.keys(bytes).map((name) => `static/chunks/${name}.js`) }
  writeFileSync(join(folder, 'build-manifest.json'), JSON.stringify(common))
  const css = [{ path: 'static/chunks/c.css', inlined: false }]
  const manifest = { entryCSSFiles: { '[project]/app/layout': [], one: css, other: css } }
  writeFileSync(
    join(page, 'page_client-reference-manifest.js'),
    `globalThis.__X = globalThis.__X || {};\nglobalThis.__X["/c/[session]/deposit/page"] = ${JSON.stringify(manifest)};\n`,
  )
  expect(firstFiles(folder)).toEqual([
    { path: '/_next/static/chunks/c.css', as: 'style' },
    { path: '/_next/static/chunks/a.js', as: 'script' },
    { path: '/_next/static/chunks/b.js', as: 'script' },
  ])
})
