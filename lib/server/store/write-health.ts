/** Whether the store can be written, learnt from its transactions and from writes of its own. */
import { randomBytes } from 'node:crypto'
import { isFullOrReadOnly } from './database/store-fault.ts'
import type { leasesOf } from './tables/leases.ts'

/** The prefix of an instance's lease that shows that it can write. */
const WRITE_LEASE = 'writes:'
const FOR_MS = 60_000
/** After a failure: large enough that it does not fit into space that tables have already. */
const LARGE_BYTES = 128 * 1024

type Write = <T>(work: (tx: { readonly leases: ReturnType<typeof leasesOf> }) => Promise<T>) => Promise<T>

export interface WriteHealth {
  /** Notes why a transaction failed. */
  failed(error: unknown): void
  /**
   * Commits a write; after a transaction found the database full or read-only, a large write too.
   * @throws the error of the database that cannot be written
   */
  check(write: Write, instance: string): Promise<void>
}

export function writeHealth(): WriteHealth {
  let suspect = false
  return {
    failed(error) {
      suspect ||= isFullOrReadOnly(error)
    },
    async check(write, instance) {
      const name = `${WRITE_LEASE}${instance}`
      if (suspect) {
        const large = `${name}:large`
        const holder = randomBytes(LARGE_BYTES).toString('hex')
        await write((tx) => tx.leases.take(large, holder, FOR_MS))
        await write((tx) => tx.leases.release(large, holder))
        suspect = false
      }
      await write((tx) => tx.leases.take(name, instance, FOR_MS))
    },
  }
}
