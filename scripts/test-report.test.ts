import { expect, test } from 'vitest'
import { countTests, failedTests, summary } from './test-report.ts'

const vitest = (passed: number, failed = 0, pending = 0, todo = 0): string =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
    success: failed === 0,
  })
const playwright = (expected: number, unexpected = 0, flaky = 0, skipped = 0): string =>
  JSON.stringify({ stats: { expected, unexpected, flaky, skipped, duration: 1 }, suites: [] })

test.each([
  ['all passed', vitest(12), 0, { passed: 12, failed: 0 }],
  ['some failed', vitest(10, 2), 1, { passed: 10, failed: 2 }],
  ['one skipped and one to do', vitest(10, 0, 1, 1), 0, { passed: 10, failed: 2 }],
  ['a test file that could not be loaded', vitest(10), 1, { passed: 10, failed: 1 }],
  ['no test at all', vitest(0), 0, { passed: 0, failed: 1 }],
  ['no report', null, 0, { passed: 0, failed: 1 }],
  ['browser tests', playwright(7), 0, { passed: 7, failed: 0 }],
  ['browser tests that failed, were flaky or were skipped', playwright(7, 1, 1, 1), 1, { passed: 7, failed: 3 }],
  ['a browser that did not start', playwright(0), 1, { passed: 0, failed: 1 }],
])('%s', (_what, report, exitCode, expected) => {
  expect(countTests(report, exitCode)).toEqual(expected)
})

test('the last line sums every suite', () => {
  expect(
    summary([
      { passed: 300, failed: 0 },
      { passed: 12, failed: 1 },
    ]),
  ).toBe('312 passed, 1 failed')
})

test('the last line names what was skipped, and does not count it', () => {
  expect(summary([{ passed: 3, failed: 0 }], ['firefox', 'webkit'])).toBe(
    '3 passed, 0 failed, skipped: firefox, webkit',
  )
})

test('failed browser tests are named, however deep they are', () => {
  const spec = (title: string, ok: boolean): object => ({ title, ok, file: 'specs/a.spec.ts', tests: [] })
  const report = JSON.stringify({
    stats: { expected: 2, unexpected: 2, flaky: 0, skipped: 0 },
    suites: [
      { title: 'a', specs: [spec('one', true), spec('two', false)], suites: [{ specs: [spec('three', false)] }] },
    ],
  })
  expect(failedTests(report)).toEqual(['specs/a.spec.ts: two', 'specs/a.spec.ts: three'])
  expect(failedTests(null)).toEqual([])
})
