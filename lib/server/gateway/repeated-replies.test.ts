import { expect, test } from 'vitest'
import { createRepeatedReplies } from './repeated-replies.ts'

/** Replies whose values are new objects, so that the same object means that nothing was read. */
function memory(mostBytes?: number) {
  const time = { now: 0 }
  const replies = createRepeatedReplies<{ readonly text: string }>(() => time.now, mostBytes)
  const read = (question: string, text: string) => replies.read(question, Buffer.from(text), () => ({ text }))
  return { time, read, replies }
}

test('the same bytes to the same question are read once', () => {
  const { read } = memory()
  const first = read('a', 'one')
  expect(read('a', 'one')).toBe(first)
  expect(read('b', 'one')).not.toBe(first)
})

test('other bytes are read, and hold from then on', () => {
  const { read } = memory()
  const first = read('a', 'one')
  const second = read('a', 'two')
  expect(second).toEqual({ text: 'two' })
  expect(read('a', 'two')).toBe(second)
  expect(read('a', 'one')).not.toBe(first)
})

test('the replies that were not asked for longest go first', () => {
  const { read } = memory(6)
  const [a, b] = [read('a', 'one'), read('b', 'two')]
  expect(read('a', 'one')).toBe(a)
  read('c', 'six')
  expect(read('a', 'one')).toBe(a)
  expect(read('b', 'two')).not.toBe(b)
})

test('a reply larger than the whole memory is read each time', () => {
  const { read } = memory(2)
  const first = read('a', 'one')
  expect(read('a', 'one')).toEqual(first)
  expect(read('a', 'one')).not.toBe(first)
})

test('a reply is forgotten ten minutes after it was last asked for', () => {
  const { time, read } = memory()
  const first = read('a', 'one')
  time.now = 599_999
  read('b', 'two')
  expect(read('a', 'one')).toBe(first)
  time.now = 1_199_999
  read('b', 'two')
  expect(read('a', 'one')).not.toBe(first)
})

test('a reply that cannot be read does not replace the last one that could', () => {
  const { read, replies } = memory()
  const first = read('a', 'one')
  const fail = () => {
    throw new Error('unreadable')
  }
  expect(() => replies.read('a', Buffer.from('bad'), fail)).toThrow('unreadable')
  expect(() => replies.read('a', Buffer.from('bad'), fail)).toThrow('unreadable')
  expect(read('a', 'one')).toBe(first)
})
