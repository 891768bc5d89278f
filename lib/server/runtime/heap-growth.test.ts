import { expect, test } from 'vitest'
import { boundHeapGrowth } from './heap-growth.ts'

test('with many streams the heap grows by more between two collections, and each change is set once', () => {
  const flags: string[] = []
  const onStreams = boundHeapGrowth((flag) => void flags.push(flag))
  expect(flags).toEqual(['--heap-growing-percent=20'])
  for (const streams of [1, 499, 500, 8000, 500, 499, 0]) onStreams(streams)
  expect(flags).toEqual(['--heap-growing-percent=20', '--heap-growing-percent=40', '--heap-growing-percent=20'])
})
