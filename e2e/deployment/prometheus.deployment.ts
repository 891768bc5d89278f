/** Runs the tests of the alarms in ops/prometheus. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8', cwd: 'ops/prometheus' })
const isHere = promtool('--version').status === 0

describe.skipIf(!isHere)(isHere ? 'the alarms' : 'the alarms (no promtool on this machine)', () => {
  test('the example of a scraper has these alarms, and the address of the metrics', () => {
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toMatchObject({ status: 0, stderr: '' })
    const config = readFileSync('ops/prometheus/prometheus.yml', 'utf8')
    for (const part of ['- cashier.rules.yml', 'job_name: cashier', 'metrics_path: /api/metrics'])
      expect(config).toContain(part)
  })

  test('each alarm fires after its cause and not before', () => {
    expect(promtool('check', 'rules', 'cashier.rules.yml')).toMatchObject({ status: 0, stderr: '' })
    const found = promtool('test', 'rules', 'cashier.rules.test.yml')
    expect([found.status, found.stdout, found.stderr]).toEqual([0, expect.stringContaining('SUCCESS'), ''])
  })
})
