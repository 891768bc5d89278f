/**
 * Vitest's JSON report leaves out errors that no test catches, such as a promise that is rejected after its test. This
 * reporter writes them to a file beside the report, in the shape of `Failure`.
 */
import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'
import type { Failure } from './test-report.ts'

/** @param report the path of the JSON report */
export const unhandledErrorsFile = (report: string): string => `${report}.unhandled.json`

/** @param report the path of the JSON report */
export const unhandledErrorsReporter = (report: string): Reporter => ({
  onTestRunEnd(_modules, errors) {
    const failures = errors.map(({ message, stack }): Failure => ({
      name: 'an error that no test catches',
      messages: [stack ?? message],
    }))
    writeFileSync(unhandledErrorsFile(report), JSON.stringify(failures))
  },
})
