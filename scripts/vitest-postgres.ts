import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address on a PostgreSQL that lives as long as the run. Each test file makes its own database. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run; a test gets at it by `inject('postgresUrl')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  return () => postgres.stop()
}
