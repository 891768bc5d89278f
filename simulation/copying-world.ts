/** A world that begins on SQLite and is copied to PostgreSQL; the copy may be given up. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyDatabase, undoCopy } from './instance.ts'
import { openPostgresWorld } from './postgres-world.ts'
import { openSqliteWorld } from './sqlite-world.ts'
import type { Settings } from './plan.ts'
import { BusyCounter, type WorldDatabase } from './world-database.ts'

/** `server` is the URL of a superuser. */
export async function openCopyingWorld(server: string, settings: Settings): Promise<WorldDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-simulation-'))
  const file = join(folder, 'copied.db')
  const first = await openSqliteWorld(settings)
  const second = await openPostgresWorld(server, settings, { empty: true })
  const counter = new BusyCounter()
  let now: WorldDatabase = first
  return {
    storeFor: (...machine) => now.storeFor(...machine),
    get upkeep() {
      return now.upkeep
    },
    get trouble() {
      return now.trouble
    },
    move: {
      copy: () =>
        counter.during(async () => {
          await first.saveTo(file)
          const { unmarked } = await copyDatabase(file, second.url, () => Promise.resolve())
          if (unmarked !== null) throw unmarked
          now = second
        }),
      undo: () =>
        counter.during(async () => {
          await undoCopy(file, null)
          await first.loadFrom(file)
          now = first
        }),
    },
    rows: (query) => now.rows(query),
    lostRows: () => now.lostRows(),
    tables: () => now.tables(),
    async settled() {
      await counter.settled()
      await now.settled()
    },
    async close() {
      await Promise.all([first.close(), second.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
