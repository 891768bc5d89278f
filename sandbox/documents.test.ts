import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { canHave } from './faults/fault-kinds.ts'
import { FAULT_GROUPS } from './faults/fault-words.ts'
import { MAGIC_ADDRESS_KINDS, MAGIC_FRACTIONS, MAGIC_USERS } from './faults/magic-values.ts'
import { MAGIC_WORDS } from './faults/magic-words.ts'
import { OPERATION_FAULTS } from './faults/operation-faults.ts'
import { WEBHOOK_FAULTS } from './faults/webhook-faults.ts'
import { OPERATION_NAMES } from './operations/operation-names.ts'
import { SCENARIOS } from './scenarios/scenarios.ts'
import type { ScenarioCall } from './scenarios/scenarios.ts'
import { MODE_GROUPS, MODE_NAMES, MODE_VALUES, modeChoices } from './state/mode-guide.ts'

const document = (name: string): string => readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')

describe('docs/guides/test.md', () => {
  const text = document('guides/test.md')

  test.each<[string, readonly string[]]>([
    ['mode', MODE_NAMES],
    ['operation', OPERATION_NAMES],
    ['fault', [...Object.keys(OPERATION_FAULTS), ...Object.keys(WEBHOOK_FAULTS)]],
    ['magic value', [...Object.keys(MAGIC_FRACTIONS).map((digits) => `.${digits}`), ...Object.keys(MAGIC_USERS)]],
  ])('has every %s', (_title, names) => {
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  test('names the operations of faults that only some operations can have', () => {
    const of = (name: string): string | undefined => {
      const [row = ''] = text.split('\n').filter((line) => line.startsWith('- `') && line.includes(`\`${name}\``))
      return /^- (?:`\w+`(?:, )?)+(?: \((\w+)\))?/.exec(row)?.[1]
    }
    const operations = OPERATION_NAMES.filter((name) => name !== 'withdraw')
    for (const kind of Object.keys(OPERATION_FAULTS).filter((name) => name !== 'delay')) {
      const has = operations.filter((target) => canHave(target, kind))
      const expected = has.length === operations.length ? undefined : has.length === 0 ? 'withdraw' : 'lists'
      expect([kind, of(kind)]).toEqual([kind, expected])
    }
  })
})

/** The cells of the rows below a heading, and name and meaning of the entries of lists. */
function table(text: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n')
  return lines.flatMap((line) => {
    const entry = /^- (.+?): (.+)$/.exec(line)?.slice(1)
    if (entry) return [entry]
    const cells = line.split('|').slice(1, -1)
    return line.startsWith('| ') ? [cells.map((cell) => cell.trim())] : []
  })
}

const plain = (cell: string): string => cell.replaceAll('`', '')

describe('the panel of scenarios', () => {
  const rows = table(document('guides/test.md'), 'States').map(([name = '', rest = '']) => [
    name.replaceAll('*', ''),
    ...rest.split(' → '),
  ])
  const written = ({ method, path, body }: ScenarioCall): string =>
    `${method} /control${path}${body ? ` ${JSON.stringify(body)}` : ''}`

  test('has every state of the document, in its order', () => {
    expect(rows.length).toBeGreaterThan(20)
    expect(SCENARIOS.map(({ name }) => name)).toEqual(rows.map(([name]) => name))
  })

  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', (name, { steps, ends, see }) => {
    const [, calls = '', seen = ''] = rows.find(([first]) => first === name) ?? []
    const documented = Array.from(calls.matchAll(/`((?:POST|PATCH|DELETE) [^`]+)`/g), ([, call]) => call)
    const made = [...steps.flatMap((step) => (step.kind === 'call' ? [step.call] : [])), ...ends]
    expect(documented).toEqual(made.map(written))
    expect(see).toBe(plain(seen))
    // The document has user steps in parentheses. A press may be such a step, or only confirm that the tester waited.
    const people = steps.filter((step) => step.kind === 'person' && step.step !== 'press').length
    expect((calls.replaceAll(/`[^`]+`/g, '').match(/\((?:withdraw|start)/g) ?? []).length).toBe(people)
    expect(calls.includes('changed event')).toBe(steps.some(({ kind }) => kind === 'changed'))
  })
})

describe('in words', () => {
  test('the magic values do what the document says', () => {
    const text = document('guides/test.md')
    const rows = table(text, 'Magic values').map((row) => row.map(plain))
    for (const [digits, words] of Object.entries(MAGIC_WORDS.amounts))
      expect(rows).toContainEqual([`.${digits}`, words])
    for (const [user, words] of Object.entries(MAGIC_WORDS.users)) expect(rows).toContainEqual([user, words])
    expect(text).toContain(`in this order: ${Object.values(MAGIC_WORDS.addresses).join(', ')}\n`)
    expect(Object.keys(MAGIC_WORDS.amounts)).toEqual(Object.keys(MAGIC_FRACTIONS))
    expect(Object.keys(MAGIC_WORDS.users)).toEqual(Object.keys(MAGIC_USERS))
    expect(Object.keys(MAGIC_WORDS.addresses)).toEqual([...MAGIC_ADDRESS_KINDS])
  })

  test('every fault has words, in one group', () => {
    const kinds = FAULT_GROUPS.flatMap(([, named]) => Object.keys(named))
    const all = new Set([...Object.keys(OPERATION_FAULTS), ...Object.keys(WEBHOOK_FAULTS)])
    expect(kinds.toSorted()).toEqual([...all].toSorted())
  })

  test('every mode is in one group, and each value has words or is a word', () => {
    const names = MODE_GROUPS.flatMap(({ modes }) => Object.keys(modes))
    expect(names.toSorted()).toEqual([...MODE_NAMES].toSorted())
    for (const name of MODE_NAMES) {
      const choices = modeChoices(name)
      expect([name, Object.keys(MODE_VALUES[name] ?? {})]).toEqual([name, choices === null ? [] : [...choices]])
    }
  })
})

test('docs/internal/gateway-assumptions.md names modes and faults that the sandbox has', () => {
  const cells = table(document('internal/gateway-assumptions.md'), 'The sandbox').map(([, choice = '']) => choice)
  const changedBy = cells.flatMap((cell) => /\(((?:`\w+`(?:, )?)+)\)$/.exec(cell)?.[1]?.split(', ').map(plain) ?? [])
  const known = new Set<string>([...MODE_NAMES, ...Object.keys(OPERATION_FAULTS)])
  expect(changedBy.filter((name) => !known.has(name))).toEqual([])
  expect(changedBy.length).toBeGreaterThan(1)
})
