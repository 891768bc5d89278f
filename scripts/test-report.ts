/** Reads how many tests passed and failed from the JSON reports of Vitest and Playwright. */
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
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped,
  })),
])

/**
 * @param report the report's JSON text, or null where none was written
 * @param exitCode of the runner: when it is not 0, at least one failure is counted
 */
export function countTests(report: string | null, exitCode: number): Count {
  const count = report === null ? { passed: 0, failed: 1 } : reader.parse(JSON.parse(report))
  const broken = exitCode !== 0 || count.passed === 0
  return { passed: count.passed, failed: Math.max(count.failed, broken ? 1 : 0) }
}

interface Suite {
  readonly specs: readonly { readonly title: string; readonly file: string; readonly ok: boolean }[]
  readonly suites?: readonly Suite[] | undefined
}

const suite: z.ZodType<Suite> = z.object({
  specs: z.array(z.object({ title: z.string(), file: z.string(), ok: z.boolean() })),
  get suites() {
    return z.array(suite).optional()
  },
})
const suites = z.object({ suites: z.array(suite) })

const failedOf = (one: Suite): readonly string[] => [
  ...one.specs.filter(({ ok }) => !ok).map(({ title, file }) => `${file}: ${title}`),
  ...(one.suites ?? []).flatMap(failedOf),
]

/** File and title of each test that failed, from Playwright's report; none where it wrote no report. */
export const failedTests = (report: string | null): readonly string[] =>
  report === null ? [] : suites.parse(JSON.parse(report)).suites.flatMap(failedOf)

/**
 * The last line of a run.
 * @param skipped names of what this machine cannot run; it counts neither as passed nor as failed
 */
export function summary(counts: readonly Count[], skipped: readonly string[] = []): string {
  const sum = (key: keyof Count): number => counts.reduce((total, count) => total + count[key], 0)
  const left = skipped.length > 0 ? `, skipped: ${skipped.join(', ')}` : ''
  return `${sum('passed')} passed, ${sum('failed')} failed${left}`
}
