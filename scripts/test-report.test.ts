import { expect, test } from 'vitest'
import { countTests, failuresOf, secondTriesOf, summary } from './test-report.ts'

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
  ['one skipped test and one todo', vitest(10, 0, 1, 1), 0, { passed: 10, failed: 2 }],
  ['a test file that could not be loaded', vitest(10), 1, { passed: 10, failed: 1 }],
  ['no test at all', vitest(0), 0, { passed: 0, failed: 1 }],
  ['no report', null, 0, { passed: 0, failed: 1 }],
  ['browser tests', playwright(7), 0, { passed: 7, failed: 0 }],
  ['browser tests that failed or were skipped', playwright(7, 1, 0, 1), 1, { passed: 7, failed: 2 }],
  ['a browser test that passed at its second try', playwright(7, 0, 1), 0, { passed: 8, failed: 0 }],
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

test('the last line names what was skipped, without counting it', () => {
  expect(summary([{ passed: 3, failed: 0 }], ['firefox', 'webkit'])).toBe(
    '3 passed, 0 failed, skipped: firefox, webkit',
  )
})

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`

test('browser tests that failed, or passed at their second try, are named with their messages, at any depth', () => {
  const spec = (title: string, ok: boolean, messages: readonly string[]): object => ({
    ...{ title, ok, file: 'specs/a.spec.ts' },
    tests: [{ results: [{ errors: messages.map((message) => ({ message })) }] }],
  })
  const report = JSON.stringify({
    stats: { expected: 1, unexpected: 2, flaky: 1, skipped: 0 },
    suites: [
      {
        title: 'a',
        specs: [spec('one', true, []), spec('two', false, [red('no button'), 'closed'])],
        suites: [{ specs: [spec('three', false, ['late']), spec('four', true, [red('busy')])] }],
      },
    ],
  })
  expect(failuresOf(report)).toEqual([
    { name: 'specs/a.spec.ts: two', messages: ['no button', 'closed'] },
    { name: 'specs/a.spec.ts: three', messages: ['late'] },
  ])
  expect(secondTriesOf(report)).toEqual([{ name: 'specs/a.spec.ts: four', messages: ['busy'] }])
})

test('unit tests that failed, or passed at their second try, and files that cannot be loaded are named', () => {
  const assertion = (fullName: string, status: string, failureMessages: readonly string[] = []): object => ({
    fullName,
    status,
    failureMessages,
  })
  const report = JSON.stringify({
    numPassedTests: 1,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [assertion('one', 'passed'), assertion('two', 'failed', [red('1 is not 2')])],
      },
      { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      {
        name: 'c.test.ts',
        status: 'passed',
        message: '',
        assertionResults: [assertion('three', 'skipped'), assertion('four', 'passed', [red('busy')])],
      },
    ],
  })
  expect(failuresOf(report)).toEqual([
    { name: 'a.test.ts: two', messages: ['1 is not 2'] },
    { name: 'b.test.ts', messages: ['no such module'] },
    { name: 'c.test.ts: three', messages: ['skipped'] },
  ])
  expect(secondTriesOf(report)).toEqual([{ name: 'c.test.ts: four', messages: ['busy'] }])
})

test('a thrown value may have no message, and an error may belong to no browser test', () => {
  const assertionResults = [{ fullName: 'one', status: 'failed', failureMessages: [null] }]
  const unit = { testResults: [{ name: 'a.test.ts', status: 'failed', message: '', assertionResults }] }
  expect(failuresOf(JSON.stringify(unit))).toEqual([{ name: 'a.test.ts: one', messages: ['no message'] }])
  const browser = { suites: [], errors: [{ message: 'no tests found' }, {}] }
  expect(failuresOf(JSON.stringify(browser)).map(({ messages }) => messages)).toEqual([
    ['no tests found'],
    ['no message'],
  ])
})

test('a stage without a report names no test', () => {
  expect(failuresOf(null)).toEqual([])
})
