/** Reads how many tests passed and failed from the JSON reports of Vitest and Playwright. */
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

export interface Count {
  readonly passed: number
  readonly failed: number
}

const vitest = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
})
const playwright = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

const reader = z.union([
  vitest.transform((report) => ({
    passed: report.numPassedTests,
    // A skipped test proves nothing, so it counts as failed.
    failed: report.numFailedTests + report.numPendingTests + report.numTodoTests,
  })),
  playwright.transform(({ stats }) => ({
    // Flaky: it has passed at its second try, and is named (`secondTriesOf`).
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + stats.skipped,
  })),
])

/**
 * @param report the report's JSON text, or null without a report @param exitCode of the runner: if it is not 0, at
 * least one failure is counted
 */
export function countTests(report: string | null, exitCode: number): Count {
  const count = report === null ? { passed: 0, failed: 1 } : reader.parse(JSON.parse(report))
  const broken = exitCode !== 0 || count.passed === 0
  return { passed: count.passed, failed: Math.max(count.failed, broken ? 1 : 0) }
}

/** A test that did not pass, or a test file that could not be loaded. */
export interface Failure {
  /** The file and the title. */
  readonly name: string
  /** Its messages, without terminal colours. */
  readonly messages: readonly string[]
}

/** For a thrown value that is not an error, Vitest has null, and Playwright may have no message. */
const message = z
  .string()
  .nullish()
  .transform((text) => text ?? 'no message')

interface Suite {
  readonly specs: readonly {
    readonly title: string
    readonly file: string
    readonly ok: boolean
    readonly tests: readonly { readonly results: readonly { readonly errors: readonly { message: string }[] }[] }[]
  }[]
  readonly suites?: readonly Suite[] | undefined
}

const suite: z.ZodType<Suite> = z.object({
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      ok: z.boolean(),
      tests: z.array(z.object({ results: z.array(z.object({ errors: z.array(z.object({ message })) })) })),
    }),
  ),
  get suites() {
    return z.array(suite).optional()
  },
})

/** The tests that have failed for good, or those that have failed and then passed. */
const specsThat = (passed: boolean, one: Suite): readonly Failure[] => [
  ...one.specs
    .filter(({ ok }) => ok === passed)
    .map(({ title, file, tests }) => ({
      name: `${file}: ${title}`,
      messages: tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message))),
    }))
    .filter(({ messages }) => !passed || messages.length > 0),
  ...(one.suites ?? []).flatMap((each) => specsThat(passed, each)),
]

const vitestFile = z.object({
  name: z.string(),
  status: z.string(),
  /** Why the file could not be loaded; empty otherwise. */
  message: z.string(),
  assertionResults: z.array(
    z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(message).nullish() }),
  ),
})

const failedInFile = ({ name, message, assertionResults }: z.infer<typeof vitestFile>): readonly Failure[] => [
  ...(message === '' ? [] : [{ name, messages: [message] }]),
  ...assertionResults
    .filter(({ status }) => status !== 'passed')
    .map(({ fullName, status, failureMessages }) => ({
      name: `${name}: ${fullName}`,
      messages: failureMessages?.length ? failureMessages : [status],
    })),
]

const failuresReader = z.union([
  z
    .object({ suites: z.array(suite), errors: z.array(z.object({ message })).default([]) })
    .transform(({ suites, errors }) => [
      ...errors.map((error): Failure => ({ name: 'an error outside of the tests', messages: [error.message] })),
      ...suites.flatMap((each) => specsThat(false, each)),
    ]),
  z.object({ testResults: z.array(vitestFile) }).transform(({ testResults }) => testResults.flatMap(failedInFile)),
])

const secondInFile = ({ name, assertionResults }: z.infer<typeof vitestFile>): readonly Failure[] =>
  assertionResults
    .map(({ fullName, status, failureMessages }) => ({
      name: `${name}: ${fullName}`,
      messages: status === 'passed' ? (failureMessages ?? []) : [],
    }))
    .filter(({ messages }) => messages.length > 0)

const secondTriesReader = z.union([
  z.object({ suites: z.array(suite) }).transform(({ suites }) => suites.flatMap((each) => specsThat(true, each))),
  z.object({ testResults: z.array(vitestFile) }).transform(({ testResults }) => testResults.flatMap(secondInFile)),
])

const read = (reader: z.ZodType<readonly Failure[]>, report: string | null): readonly Failure[] =>
  report === null
    ? []
    : reader
        .parse(JSON.parse(report))
        .map(({ name, messages }) => ({ name, messages: messages.map(stripVTControlCharacters) }))

/** @param report the JSON report of Vitest or Playwright, or null without a report, which gives no failures */
export const failuresOf = (report: string | null): readonly Failure[] => read(failuresReader, report)

/** The tests that passed at their second try, with what failed at the first. @param report as in `failuresOf` */
export const secondTriesOf = (report: string | null): readonly Failure[] => read(secondTriesReader, report)

/**
 * The last line of a run.
 * @param skipped names of parts that this machine cannot run; they count neither as passed nor as failed
 */
export function summary(counts: readonly Count[], skipped: readonly string[] = []): string {
  const sum = (key: keyof Count): number => counts.reduce((total, count) => total + count[key], 0)
  const left = skipped.length > 0 ? `, skipped: ${skipped.join(', ')}` : ''
  return `${sum('passed')} passed, ${sum('failed')} failed${left}`
}
