import type { TestProject } from 'vitest/node'
import { createTemplateDatabases } from '../lib/server/store/testing/test-databases.ts'
import { startPostgres } from './postgres.ts'
import { newScratchFolder } from './scratch-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of a PostgreSQL that runs as long as the tests. Each test file creates its own database. */
    postgresUrl: string
  }
}

/**
 * Starts one PostgreSQL for the whole run; tests get its URL by `inject('postgresUrl')`. `npm test` has a folder in memory
 * for its files; so does a run of some tests alone, because a database on the disk takes ten times as long to create.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = process.env['TEST_RUN'] === undefined ? newScratchFolder() : null
  if (scratch !== null) process.env['TMPDIR'] = scratch.path
  const postgres = await startPostgres()
  await createTemplateDatabases(postgres.url)
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    scratch?.remove()
  }
}
