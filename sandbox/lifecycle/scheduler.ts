import { z } from 'zod'
import type { Database } from '../state/database.ts'

export const SCHEDULED_ACTIONS = ['confirm_deposit', 'complete_payout', 'fail_payout', 'deliver_onramp'] as const
export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number]

const rowSchema = z.object({
  id: z.number(),
  action: z.enum(SCHEDULED_ACTIONS),
  subject: z.string(),
  due_at: z.number(),
})

export interface Scheduler {
  readonly schedule: (action: ScheduledAction, subject: string, afterMs: number) => void
  /** Starts timers for the actions that an earlier process scheduled. */
  readonly resume: () => void
  readonly stop: () => void
}

/** Actions that run automatically later. The database stores them, so a restart does not lose them. */
export function openScheduler(database: Database, run: (action: ScheduledAction, subject: string) => void): Scheduler {
  const timers = new Map<number, NodeJS.Timeout>()

  function startTimer(id: number, action: ScheduledAction, subject: string, dueAt: number): void {
    const timer = setTimeout(
      () => {
        timers.delete(id)
        database.atomically(() => {
          if (database.run('DELETE FROM scheduled_actions WHERE id = ?', id).changes === 1) run(action, subject)
        })
      },
      Math.max(0, dueAt - Date.now()),
    )
    timer.unref()
    timers.set(id, timer)
  }

  return {
    resume() {
      for (const row of database.all('SELECT * FROM scheduled_actions')) {
        const { id, action, subject, due_at } = rowSchema.parse(row)
        if (!timers.has(id)) startTimer(id, action, subject, due_at)
      }
    },
    schedule(action, subject, afterMs) {
      const dueAt = Date.now() + afterMs
      const { id } = database.run(
        'INSERT INTO scheduled_actions (action, subject, due_at) VALUES (?, ?, ?)',
        action,
        subject,
        dueAt,
      )
      startTimer(id, action, subject, dueAt)
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
