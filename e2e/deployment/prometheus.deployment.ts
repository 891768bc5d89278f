/** Runs the tests of the alarms in ops/prometheus. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8', cwd: 'ops/prometheus' })
const isHere = promtool('--version').status === 0

describe.skipIf(!isHere)(isHere ? 'the alarms' : 'the alarms (no promtool on this machine)', () => {
  test('each alarm fires after its cause and not before', () => {
    expect(promtool('check', 'rules', 'cashier.rules.yml')).toMatchObject({ status: 0, stderr: '' })
    const found = promtool('test', 'rules', 'cashier.rules.test.yml')
    expect([found.status, found.stdout, found.stderr]).toEqual([0, expect.stringContaining('SUCCESS'), ''])
  })
})
