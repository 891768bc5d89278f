import * as z from 'zod'

const origin = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin)

const schema = z.object({
  MERCHANT_HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  MERCHANT_PORT: z.coerce.number().int().min(0).max(65535).default(4020).describe('0 takes any free port'),
  CASHIER_URL: origin.default('http://localhost:3000').describe('origin of the cashier, as browsers reach it'),
  SANDBOX_URL: origin
    .default('http://localhost:4010')
    .describe('the sandbox gateway, for the link to its control page'),
  MERCHANT_API_KEY: z.string('is required').min(32).describe("this merchant's API key at the cashier (required)"),
  MERCHANT_WEBHOOK_SECRET: z
    .string()
    .startsWith('whsec_')
    .optional()
    .describe('verifies calls of the cashier to /merchant/webhook and /merchant/authorize; without it both answer 501'),
  MERCHANT_DECISION: z
    .enum(['approve', 'decline', 'postpone', 'silence'])
    .default('approve')
    .describe('the first decision of /merchant/authorize; silence sends no response'),
})

export type Settings = z.infer<typeof schema>

/** @throws Error with every fault, one per line */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

/** The text of `--help`. */
export const settingsHelp = (): string =>
  Object.entries(schema.shape)
    .map(([name, { description }]) => `  ${name.padEnd(24)} ${description ?? ''}`)
    .join('\n')
