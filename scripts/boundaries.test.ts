import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BoundaryReport, checkBoundaries } from './boundaries.ts'

/** At least one forbidden import for each rule: the file, what it imports, and the rule that forbids it. */
const forbidden: readonly (readonly [from: string, to: string, rule: string])[] = [
  ['lib/browser/cycle.ts', './poll.ts', 'no-cycles'],
  ['lib/contract/gone.ts', './nowhere.ts', 'resolvable'],
  ['lib/server/cashier/fuzz.ts', 'fast-check', 'no-dev-packages-in-production'],
  ['lib/server/cashier/borrowed.ts', 'pg-types', 'no-unlisted-packages'],
  ['lib/server/cashier/page.ts', '../../../app/page.tsx', 'nothing-imports-outwards'],
  ['components/shell/demo.ts', '../../sandbox/main.ts', 'nothing-imports-outwards'],
  ['lib/server/ledger/sum.ts', './hold.test.ts', 'tests-are-leaves'],
  ['lib/contract/client.ts', '#lib/browser/page.ts', 'leaf-contract'],
  ['lib/addresses/client.ts', '#lib/browser/page.ts', 'leaf-addresses'],
  ['lib/i18n/client.ts', '#lib/browser/page.ts', 'leaf-i18n'],
  ['lib/embed/client.ts', '#lib/browser/page.ts', 'leaf-embed'],
  ['lib/browser/sign.ts', '#lib/server/gateway/sign.ts', 'page-side'],
  ['components/withdraw/sign.ts', '#lib/server/gateway/sign.ts', 'components'],
  ['components/withdraw/mount.ts', '#lib/embed/host/mount.ts', 'components'],
  ['app/page.tsx', '#lib/server/gateway/sign.ts', 'app-is-thin'],
  ['app/layout.tsx', '#lib/server/store/sql.ts', 'app-is-thin'],
  ['lib/browser/file.ts', 'node:fs', 'no-server-in-the-browser'],
  ['lib/contract/schema.ts', 'zod', 'no-classic-zod-in-the-browser'],
  ['lib/server/gateway/up.ts', '#lib/server/cashier/fine.ts', 'server-gateway'],
  ['lib/server/ledger/up.ts', '#lib/server/cashier/fine.ts', 'server-ledger'],
  ['lib/server/jobs/up.ts', '#lib/server/cashier/fine.ts', 'server-jobs'],
  ['lib/server/store/up.ts', '#lib/server/cashier/fine.ts', 'server-store'],
  ['lib/server/stream/up.ts', '#lib/server/cashier/fine.ts', 'server-stream'],
  ['lib/server/cashier/side.ts', '#lib/server/merchant/fine.ts', 'server-cashier'],
  ['lib/server/webhooks/side.ts', '#lib/server/merchant/fine.ts', 'server-webhooks'],
  ['lib/server/reconcile/side.ts', '#lib/server/merchant/fine.ts', 'server-reconcile'],
  ['lib/server/merchant/side.ts', '#lib/server/cashier/fine.ts', 'server-merchant'],
  ['lib/server/measures/side.ts', '#lib/server/cashier/fine.ts', 'server-measures'],
  ['lib/server/operate/side.ts', '#lib/server/cashier/fine.ts', 'server-operate'],
  ['components/deposit/side.ts', '../operate/ui/fine.ts', 'console-apart'],
  ['components/operate/ui/side.ts', '../../shell/shell.ts', 'console-without-the-cashier'],
  ['lib/server/cashier/query.ts', '#lib/server/store/sql.ts', 'store-by-its-types'],
  ['lib/server/store/database/up.ts', '../tables/fine.ts', 'store-database'],
  ['lib/server/store/tables/up.ts', '../unit/fine.ts', 'store-tables'],
  ['lib/server/store/unit/up.ts', '../commands/fine.ts', 'store-unit'],
  ['lib/server/merchant/query.ts', 'kysely', 'kysely-in-the-store'],
  ['lib/server/webhooks/root.ts', '#lib/server/runtime/root.ts', 'composition-root'],
  ['sandbox/main.ts', '#lib/server/gateway/sign.ts', 'sandbox-shares-no-code'],
  ['sandbox/start.ts', '../e2e/fixtures/start.ts', 'sandbox-shares-no-code'],
  ['examples/shop/main.ts', '#lib/contract/money.ts', 'examples-share-no-code'],
  ['packages/testing/src/texts.ts', '#lib/i18n/client.ts', 'packages-stand-alone'],
  ['packages/embed/src/api.ts', '../../testing/src/texts.ts', 'packages-of-their-own'],
  ['simulation/oracle.ts', '#lib/contract/money.ts', 'oracle-shares-no-code'],
  ['e2e/specs/deposit.ts', '#lib/contract/money.ts', 'from-outside'],
]

/** Folders that import each other, without a cycle of files. */
const folderCycle: readonly (readonly [from: string, to: string])[] = [
  ['components/buy/form.ts', '../history/list.ts'],
  ['components/history/list.ts', '#lib/contract/money.ts'],
  ['components/history/details.ts', '../buy/draft.ts'],
  ['components/buy/draft.ts', '#lib/contract/money.ts'],
]

/** Imports that every module needs. */
const allowed: readonly (readonly [from: string, to: string])[] = [
  ['app/fine.ts', '#lib/server/runtime/root.ts'],
  ['app/shell.ts', '#components/shell/shell.ts'],
  ['components/shell/shell.ts', '#lib/browser/page.ts'],
  ['components/operate/ui/fine.ts', '../context/texts.ts'],
  ['components/operate/context/texts.ts', '#lib/contract/money.ts'],
  ['components/shell/frame.ts', '#lib/embed/frame/bridge.ts'],
  ['lib/embed/frame/bridge.ts', 'zod/mini'],
  ['lib/embed/host/mount.ts', 'zod/mini'],
  ['lib/browser/page.ts', '#lib/contract/money.ts'],
  ['lib/browser/poll.ts', './cycle.ts'],
  ['lib/contract/money.ts', 'zod/mini'],
  ['lib/server/cashier/fine.ts', '#lib/server/store/types.ts'],
  ['lib/server/merchant/fine.ts', '#lib/server/gateway/sign.ts'],
  ['lib/server/gateway/sign.ts', 'node:crypto'],
  ['lib/server/ledger/hold.test.ts', 'fast-check'],
  ['lib/server/store/sql.ts', 'kysely'],
  ['lib/server/store/types.ts', '#lib/contract/money.ts'],
  ['lib/server/store/tables/fine.ts', '../database/fine.ts'],
  ['lib/server/store/database/fine.ts', '#lib/contract/money.ts'],
  ['lib/server/store/unit/fine.ts', '../tables/fine.ts'],
  ['lib/server/store/commands/fine.ts', '../unit/fine.ts'],
  ['lib/server/runtime/root.ts', '#lib/server/store/sql.ts'],
  ['e2e/fixtures/start.ts', 'node:fs'],
  ['e2e/views/cashier.ts', '../../packages/testing/src/cashier.ts'],
  ['packages/testing/src/cashier.ts', 'node:url'],
]

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'cashier-boundaries-'))
let found: BoundaryReport

beforeAll(async () => {
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [from, to] of [...forbidden, ...folderCycle, ...allowed]) {
    mkdirSync(join(folder, dirname(from)), { recursive: true })
    writeFileSync(join(folder, from), `import '${to}'\nexport const here = 1\n`)
  }
  found = await checkBoundaries(folder)
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

test.each(forbidden)('%s may not import %s: %s', (from, _to, rule) => {
  expect(found.violations).toContainEqual(expect.objectContaining({ from, rule }))
})

test('no two folders import each other', () => {
  const cycles = found.violations.filter(({ rule }) => rule === 'no-folder-cycles').map(({ from, to }) => [from, to])
  expect(cycles).toContainEqual(['components/buy', 'components/history'])
  expect(cycles).toContainEqual(['components/history', 'components/buy'])
})

test('allowed imports pass', () => {
  const expected = new Set([...forbidden, ...folderCycle].flatMap(([from]) => [from, dirname(from)]))
  expect(found.violations.filter(({ from }) => !expected.has(from))).toEqual([])
})

test('imports by alias are resolved', () => {
  const byAlias = [...forbidden, ...folderCycle, ...allowed].filter(([, to]) => to.startsWith('#'))
  expect(found.aliasImports).toBe(byAlias.length)
})

test('every rule is tested here and has a reason', () => {
  const tried = new Set([...forbidden.map(([, , rule]) => rule), 'no-folder-cycles'])
  expect([...found.reasons.keys()].filter((rule) => !tried.has(rule))).toEqual([])
  expect([...found.reasons.values()].every((reason) => reason.length > 20)).toBe(true)
})
