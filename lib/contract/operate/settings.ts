/** What the console shows of this installation: nothing secret, and nothing that can be changed. */
import * as z from 'zod/mini'

const shownSetting = z.object({
  /** The variable of the environment. */
  name: z.string(),
  state: z.enum(['set', 'default', 'unset']),
  /** Null: not set, or a secret. */
  value: z.nullable(z.string()),
  secret: z.boolean(),
})
export type ShownSetting = z.output<typeof shownSetting>

/** `GET /api/operate/settings` */
export const settingsAnswer = z.object({
  version: z.string(),
  /** Null: the build does not know it. */
  commit: z.nullable(z.string()),
  node: z.string(),
  database: z.enum(['SQLite', 'PostgreSQL']),
  instances: z.array(
    z.object({
      id: z.string(),
      /** The one that answered. */
      answered: z.boolean(),
    }),
  ),
  keys: z.array(
    z.object({
      /** The variable that has the key. */
      name: z.string(),
      /** SHA-256 of the public half in DER, as base64 after `SHA256:`. */
      fingerprint: z.string(),
      bits: z.number(),
    }),
  ),
  settings: z.array(shownSetting),
})
export type SettingsAnswer = z.output<typeof settingsAnswer>

/** What the doctor says of one subject. */
const finding = z.object({
  about: z.string(),
  level: z.enum(['ok', 'note', 'fault']),
  message: z.string(),
  fix: z.exactOptional(z.string()),
})

/** `POST /api/operate/examinations` */
export const examinationAnswer = z.object({ findings: z.array(finding), examined_at: z.string() })
export type ExaminationAnswer = z.output<typeof examinationAnswer>
