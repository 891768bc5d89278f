import pg from 'pg'
import { expect, test } from 'vitest'
import { isRefusal } from './commit-outcome.ts'
import { replicated, UnreplicatedError } from './replicated-commits.ts'

const cancelled = (): Error =>
  Object.assign(new pg.DatabaseError('canceling statement due to user request', 1, 'error'), {
    severity: 'ERROR',
    code: '57014',
  })

test('a question about the standby that fails does not look like a refused commit', async () => {
  const error: unknown = await replicated({}, Promise.resolve('COMMIT'), Promise.reject(cancelled())).catch(
    (thrown: unknown) => thrown,
  )
  expect([error, isRefusal(error)]).toEqual([expect.any(UnreplicatedError), false])
})

test('a refused commit stays refused although the question about the standby fails too', async () => {
  const refused = cancelled()
  await expect(replicated({}, Promise.reject(refused), Promise.reject(cancelled()))).rejects.toBe(refused)
})
