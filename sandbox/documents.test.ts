import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from './control/routes.ts'
import { canHave } from './faults/fault-kinds.ts'
import { MAGIC_FRACTIONS, MAGIC_USERS } from './faults/magic-values.ts'
import { OPERATION_FAULTS } from './faults/operation-faults.ts'
import { WEBHOOK_FAULTS } from './faults/webhook-faults.ts'
import { OPERATION_NAMES } from './operations/operation-names.ts'
import { FLAGS, environmentName } from './settings/flags.ts'
import { MODE_NAMES } from './state/mode-guide.ts'

const document = (name: string): string => readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')

describe('docs/sandbox.md', () => {
  const text = document('sandbox.md')
  /** Routes that serve the sandbox's own page, and the list itself. */
  const undocumented = ['/overview', '/routes']

  test.each<[string, readonly string[]]>([
    ['setting', FLAGS.map(({ name }) => environmentName(name))],
    ['mode', MODE_NAMES],
    ['operation', OPERATION_NAMES],
    ['fault', [...Object.keys(OPERATION_FAULTS), ...Object.keys(WEBHOOK_FAULTS)]],
    ['magic value', [...Object.keys(MAGIC_FRACTIONS).map((digits) => `.${digits}`), ...Object.keys(MAGIC_USERS)]],
  ])('has every %s', (_, names) => {
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  test('names the operations that alone can have a fault', () => {
    const of = (name: string): string | undefined => {
      const [row = ''] = text.split('\n').filter((line) => line.startsWith('| `') && line.includes(`\`${name}\``))
      return /^\| [^|(]*(?:\((\w+)\))? *\|/.exec(row)?.[1]
    }
    const operations = OPERATION_NAMES.filter((name) => name !== 'withdraw')
    for (const kind of Object.keys(OPERATION_FAULTS).filter((name) => name !== 'delay')) {
      const has = operations.filter((target) => canHave(target, kind))
      const expected = has.length === operations.length ? undefined : has.length === 0 ? 'withdraw' : 'lists'
      expect([kind, of(kind)]).toEqual([kind, expected])
    }
  })

  test('has every control route', () => {
    const paths = CONTROL_ROUTES.map(({ path }) => path).filter((path) => !undocumented.includes(path))
    const missing = paths.filter((path) => {
      const [, start = '', end = ''] = /^(.*)(\/[a-z]+)$/.exec(path) ?? []
      // Steps of one thing share a row: `POST /control/withdrawals/:uuid/approve`, `/complete`.
      return !text.includes(`/control${path}`) && !(text.includes(`/control${start}`) && text.includes(`\`${end}\``))
    })
    expect(missing).toEqual([])
  })
})

test('docs/gateway-assumptions-sandbox.md names files that exist', () => {
  const paths = [...document('gateway-assumptions-sandbox.md').matchAll(/`([a-z-]+\/[a-z-]*(?:\.ts)?)` *\|$/gm)]
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(import.meta.dirname, path)))).toEqual([])
})
