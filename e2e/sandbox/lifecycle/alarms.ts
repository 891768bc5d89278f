import { z } from 'zod'
import { ALARM_ACTIONS } from './alarm-actions.ts'
import type { AlarmAction } from './alarm-actions.ts'
import type { Database } from '../state/database.ts'

const rowSchema = z.object({ id: z.number(), action: z.enum(ALARM_ACTIONS), subject: z.string(), due_at: z.number() })

export interface Alarms {
  readonly set: (action: AlarmAction, subject: string, afterMs: number) => void
  /** Takes up the alarms that an earlier process left. */
  readonly resume: () => void
  readonly stop: () => void
}

/** Things that happen by themselves later. They are kept in the database, so a restart does not lose them. */
export function openAlarms(database: Database, ring: (action: AlarmAction, subject: string) => void): Alarms {
  const timers = new Map<number, NodeJS.Timeout>()

  function arm(id: number, action: AlarmAction, subject: string, dueAt: number): void {
    const timer = setTimeout(
      () => {
        timers.delete(id)
        database.atomically(() => {
          if (database.run('DELETE FROM alarms WHERE id = ?', id).changes === 1) ring(action, subject)
        })
      },
      Math.max(0, dueAt - Date.now()),
    )
    timer.unref()
    timers.set(id, timer)
  }

  return {
    resume() {
      for (const row of database.all('SELECT * FROM alarms')) {
        const alarm = rowSchema.parse(row)
        if (!timers.has(alarm.id)) arm(alarm.id, alarm.action, alarm.subject, alarm.due_at)
      }
    },
    set(action, subject, afterMs) {
      const dueAt = Date.now() + afterMs
      const { id } = database.run(
        'INSERT INTO alarms (action, subject, due_at) VALUES (?, ?, ?)',
        action,
        subject,
        dueAt,
      )
      arm(id, action, subject, dueAt)
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
