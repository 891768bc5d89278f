import pg from 'pg'

export interface LockWaits {
  /** Waits until this many connections to this database wait for a lock. */
  waiting(count: number): Promise<void>
  end(): Promise<void>
}

export interface HeldLock extends Pick<LockWaits, 'waiting'> {
  release(): Promise<void>
}

/** Watches from outside who waits for a lock on PostgreSQL. */
export async function watchLocks(url: string): Promise<LockWaits> {
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()
  return {
    async waiting(count) {
      for (;;) {
        const { rows } = await observer.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        if ((rows[0]?.waiting ?? 0) >= count) return
      }
    },
    end: () => observer.end(),
  }
}

/** Holds a user's lock on PostgreSQL from outside, like another instance that hangs. */
export async function holdUserLock(url: string, user: string): Promise<HeldLock> {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  const locks = await watchLocks(url)
  await holder.query('begin')
  const { rowCount } = await holder.query('select 1 from users where user_reference_id = $1 for update', [user])
  if (rowCount !== 1) throw new Error(`there is no user ${user} to lock`)
  return {
    waiting: (count) => locks.waiting(count),
    async release() {
      await holder.query('rollback')
      await Promise.all([holder.end(), locks.end()])
    },
  }
}
