import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXAMPLE_SCENES } from './examples.ts'
import { SceneError, readScene } from './read-scene.ts'
import { STEP_FIELDS, sceneJsonSchema } from './scene.ts'

const files = globSync('*.json', { cwd: import.meta.dirname }).filter((file) => file !== 'scene.schema.json')
const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(sceneJsonSchema())

const faultsOf = (scene: unknown): readonly string[] => {
  try {
    readScene(typeof scene === 'string' ? scene : JSON.stringify(scene))
    return []
  } catch (error) {
    if (error instanceof SceneError) return error.faults
    throw error
  }
}
const sceneOf = (...steps: readonly object[]) => ({ name: 'N', about: 'A', steps })
const made = { do: 'trigger', event: 'deposit.processing', as: 'd' }

test('every file of the folder is an example, can be read, and fits the JSON schema', () => {
  expect(files.map((file) => file.slice(0, -'.json'.length)).toSorted()).toEqual(Object.keys(EXAMPLE_SCENES).toSorted())
  expect(files.length).toBeGreaterThan(7)
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    expect([file, faultsOf(text)]).toEqual([file, []])
    expect([file, validate(JSON.parse(text)), validate.errors]).toEqual([file, true, null])
  }
})

test('the examples use every kind of step except those that need no example', () => {
  const used = new Set(
    files.flatMap((file) =>
      readScene(readFileSync(join(import.meta.dirname, file), 'utf8')).steps.map((step) => step.do as string),
    ),
  )
  expect([...STEP_FIELDS.keys()].filter((name) => !used.has(name))).toEqual(['clear_faults', 'set_modes'])
})

test.each<[unknown, string]>([
  ['{', 'it is not JSON: '],
  [{ name: 'N', about: 'A' }, 'the scene: steps is missing'],
  [{ name: 'N', about: 'A', steps: [], extra: 1 }, 'the scene: steps must have a step'],
  [{ name: 'N', about: 'A', user: 'a b', steps: [{ do: 'wait', ms: 1 }] }, 'the scene: user may hold only letters'],
  [sceneOf({ do: 'dance' }), 'step 1 (dance): do must be one of wait, trigger, set_fault'],
  [sceneOf({ ms: 5 }), 'step 1: do must be one of wait'],
  [sceneOf({ do: 'wait' }), 'step 1 (wait): ms is missing'],
  [sceneOf({ do: 'wait', ms: 'long' }), 'step 1 (wait): ms must be number, not "long"'],
  [sceneOf({ do: 'wait', ms: 1, sec: 1 }), 'step 1 (wait): has unknown fields: sec; it can have do, note, ms'],
  [sceneOf({ do: 'trigger', event: 'deposit.done' }), 'step 1 (trigger): event must be one of deposit.processing'],
  [sceneOf({ do: 'trigger', event: 'deposit.succeeded', amount: '-1' }), 'step 1 (trigger): amount is not a decimal'],
  [sceneOf({ do: 'trigger', event: 'payout.failed', of: 'p' }), 'step 1 (trigger): of names no earlier step: p'],
  [sceneOf(made, { do: 'trigger', event: 'payout.failed', of: 'd' }), 'step 2 (trigger): of must name a payout'],
  [sceneOf(made, { ...made, of: 'd' }), 'step 2 (trigger): deposit.processing makes a new one'],
  [sceneOf({ ...made, reason: 'x' }), 'step 1 (trigger): deposit.processing cannot have reason'],
  [sceneOf({ do: 'expect_webhook' }), 'step 1 (expect_webhook): no step before it has a transaction'],
  [sceneOf({ do: 'expect_call', operation: 'currencies', as: 'c' }), 'step 1 (expect_call): as cannot be given'],
  [
    sceneOf({ do: 'set_fault', target: 'currencies', kind: 'lag' }),
    'step 1 (set_fault): kind must be one that currencies',
  ],
  [
    sceneOf({ do: 'set_fault', target: 'withdraw', kind: 'delay', settings: { delay_ms: 'x' } }),
    'step 1 (set_fault): settings.delay_ms',
  ],
])('%j is refused with its step and field', (scene, expected) => {
  expect(faultsOf(scene).join('\n')).toContain(expected)
})

test('every fault of a scene is named', () => {
  expect(faultsOf(sceneOf({ do: 'wait' }, { do: 'dance' }, { do: 'wait', ms: -1 }))).toHaveLength(3)
})
