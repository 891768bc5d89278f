import type { TestProject } from 'vitest/node'
import { createTemplateDatabases } from '../lib/server/store/testing/test-databases.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of a PostgreSQL that runs as long as the tests. Each test file creates its own database. */
    postgresUrl: string
  }
}

/** Starts one PostgreSQL for the whole run; tests get its URL by `inject('postgresUrl')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  await createTemplateDatabases(postgres.url)
  project.provide('postgresUrl', postgres.url)
  return () => postgres.stop()
}
