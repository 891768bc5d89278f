import { expect, test } from 'vitest'
import { createPacedRefetch } from './paced-refetch.ts'

function paced() {
  const reads: string[] = []
  const answers: (() => void)[] = []
  const pauses: (() => void)[] = []
  const later = (waiting: (() => void)[]): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const refetch = createPacedRefetch({
    refetch: (key) => {
      reads.push(key.join())
      return later(answers).then(() => Promise.reject(new Error('offline')))
    },
    pause: () => later(pauses),
  })
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
  return { reads, answers, pauses, refetch, settle }
}

test('a burst of events causes one read at once, and one more after its answer and a pause', async () => {
  const { reads, answers, pauses, refetch, settle } = paced()
  for (let event = 0; event < 100; event += 1) refetch(['balances'])
  refetch(['transactions'])
  expect(reads).toEqual(['balances', 'transactions'])
  answers[0]?.()
  await settle()
  expect(reads).toHaveLength(2)
  pauses[0]?.()
  await settle()
  expect(reads).toEqual(['balances', 'transactions', 'balances'])
})

test('after a quiet time the next event reads at once, also if the last read failed', async () => {
  const { reads, answers, pauses, refetch, settle } = paced()
  refetch(['balances'])
  answers[0]?.()
  pauses[0]?.()
  await settle()
  expect(reads).toHaveLength(1)
  refetch(['balances'])
  expect(reads).toHaveLength(2)
})
