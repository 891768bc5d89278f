import { expect, test } from 'vitest'
import { isWhole, leaderOf } from './cluster.ts'

const member = (name: string, role: string, state = role === 'leader' ? 'running' : 'streaming') => ({
  name,
  role,
  state,
})
const whole = [member('pg1', 'leader'), member('pg2', 'sync_standby'), member('pg3', 'replica')]

test('a whole cluster has a primary and two standbys, one of them synchronous', () => {
  expect(isWhole(whole, true)).toBe(true)
  expect(isWhole(whole, false)).toBe(false)
  expect(isWhole([member('pg1', 'leader'), member('pg2', 'replica'), member('pg3', 'replica')], false)).toBe(true)
})

test.each([
  ['no primary', whole.slice(1)],
  ['one standby', whole.slice(0, 2)],
  ['a standby that starts', [...whole.slice(0, 2), member('pg3', 'replica', 'starting')]],
  ['a primary that stops', [member('pg1', 'leader', 'stopping'), ...whole.slice(1)]],
  ['no synchronous standby', [whole[0]!, member('pg2', 'replica'), member('pg3', 'replica')]],
])('%s is not whole', (_name, members) => {
  expect(isWhole(members, true)).toBe(false)
})

test('all machines must name the same primary', () => {
  const other = [member('pg1', 'replica'), member('pg2', 'leader')]
  expect(leaderOf([whole, whole])).toBe('pg1')
  expect(leaderOf([whole, other])).toBeNull()
  expect(leaderOf([whole, whole.slice(1)])).toBeNull()
  expect(leaderOf([])).toBeNull()
})
