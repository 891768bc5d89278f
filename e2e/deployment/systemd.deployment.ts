/** Verifies ops/systemd/cashier.service with systemd-analyze, without starting it: a test has no systemd of its own. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const unit = 'ops/systemd/cashier.service'
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const isHere = analyze('--version').status === 0

describe.skipIf(!isHere)(isHere ? 'the systemd unit' : 'the systemd unit (no systemd-analyze on this machine)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-systemd-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('it has no fault', () => {
    const file = join(folder, 'cashier.service')
    // The program must exist, but /opt/cashier is empty here.
    const text = readFileSync(unit, 'utf8').replace('/opt/cashier/node ', `${process.execPath} `)
    writeFileSync(file, text)
    const found = analyze('verify', '--man=no', file)
    expect([found.status, found.stderr]).toEqual([0, ''])
    writeFileSync(file, text.replace('ProtectSystem=strict', 'ProtectSystem=strickt'))
    expect(analyze('verify', '--man=no', file).stderr).toContain('strickt')
  })

  test('its exposure level is at most 2.0 of 10', () => {
    const found = analyze('security', '--offline=true', '--threshold=20', unit)
    const [, level] = /Overall exposure level for cashier.service: ([\d.]+)/.exec(found.stdout) ?? []
    expect([found.status, Number(level) <= 2]).toEqual([0, true])
  })
})
