/**
 * The order of test files. It differs with each seed, so that files do not depend on one another, but slow files come
 * first: the other workers would wait for a slow file that starts last.
 */
import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders and files whose tests take 10 s to a minute: they start programs and wait, or run many random orders. */
const LONG = ['/e2e/system/', '/simulation/', '/webhooks/any-order.test.ts', '/conformance/conformance.test.ts']

export class LongTestsFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    const place = ({ moduleId, project }: TestSpecification): string => {
      const isLong = LONG.some((part) => moduleId.includes(part))
      // A worker runs the files of one project only.
      return [isLong ? 0 : 1, project.name, createHash('sha256').update(`${seed} ${moduleId}`).digest('hex')].join(' ')
    }
    const places = new Map(files.map((file) => [file, place(file)]))
    const placeOf = (file: TestSpecification): string => places.get(file) ?? ''
    return Promise.resolve(files.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)))
  }
}
