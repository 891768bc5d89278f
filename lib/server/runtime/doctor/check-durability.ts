import { connectDatabase } from '../../store/database/database.ts'
import { durabilityFaults, type ServerFacts } from '../../store/database/server-facts.ts'
import type { Config } from '../config/config.ts'
import { fault, ok, type Finding } from './finding.ts'

async function factsOf(url: string): Promise<ServerFacts | null> {
  // Opening a SQLite file would create it.
  if (url.startsWith('file:')) return null
  const database = connectDatabase(url)
  try {
    return await database.serverFacts()
  } catch {
    // The check of the database says why it cannot be used.
    return null
  } finally {
    await database.close()
  }
}

/** Checks whether what PostgreSQL has acknowledged survives a crash of its machine. */
export async function checkDurability({
  databaseUrl,
  databaseReplicated,
}: Pick<Config, 'databaseUrl' | 'databaseReplicated'>): Promise<readonly Finding[]> {
  const facts = await factsOf(databaseUrl)
  if (facts === null) return []
  const faults = durabilityFaults(facts, databaseReplicated)
  if (faults.length > 0) return faults.map(({ message, fix }) => fault('database', message, fix))
  return [
    ok('database', facts.replicated ? 'a commit waits for its disk and a standby' : 'a commit waits for its disk'),
  ]
}
