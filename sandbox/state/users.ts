import { z } from 'zod'
import type { Database } from './database.ts'

/** Only the latest calls are searched, because there may be a hundred thousand. */
const SEARCHED_CALLS = 1000

/** Users by their last activity, the latest first. */
export const latestUsers = (database: Database, limit: number): readonly string[] =>
  database
    .all(
      `SELECT user_reference, max(at) AS latest FROM (
         SELECT user_reference, created_at AS at FROM addresses
         UNION ALL SELECT user_reference, updated_at FROM transactions
         UNION ALL SELECT user_reference, updated_at FROM sessions
         UNION ALL SELECT user_reference, at FROM (SELECT * FROM calls ORDER BY id DESC LIMIT ?1) WHERE authentic
       ) WHERE user_reference IS NOT NULL GROUP BY user_reference ORDER BY latest DESC LIMIT ?2`,
      SEARCHED_CALLS,
      limit,
    )
    .map((row) => z.string().parse(row['user_reference']))
