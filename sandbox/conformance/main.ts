import { createPrivateKey } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readPem } from '../settings/keys.ts'
import { GROUPS } from './check.ts'
import { runSuite } from './run-suite.ts'
import type { Result } from './run-suite.ts'

const HELP = `Checks every statement of the gateway's spec against a gateway, over HTTP.

  --base-url URL         the gateway, such as http://localhost:4010
  --api-key KEY          the merchant's key
  --private-key KEY      the merchant's private key: file:PATH, base64 of its PEM, or --private-key=PEM
  --sign-query FORM      bare (default) or question-mark
  --control-url URL      the sandbox's control API, such as http://localhost:4010/control; without it the
                         checks that need it, or that move money, are skipped
  --webhook-host HOST    the host name of this process for the gateway [127.0.0.1]
  --only GROUP           ${GROUPS.join(', ')}; may be repeated

The exit code is 0 when every check passed, else 1.`

const argumentsSchema = z.object({
  'base-url': z
    .url({ protocol: /^https?$/, error: '--base-url must be a URL' })
    .transform((url) => url.replace(/\/$/, '')),
  'api-key': z.string('--api-key is missing'),
  'private-key': z.string('--private-key is missing'),
  'sign-query': z.enum(['bare', 'question-mark']).default('bare'),
  'control-url': z.url({ error: '--control-url must be a URL' }).optional(),
  'webhook-host': z.string().default('127.0.0.1'),
  only: z.array(z.enum(GROUPS)).default([...GROUPS]),
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const MARKS: Readonly<Record<Result['outcome'], string>> = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' }

function report({ group, name, outcome, reason }: Result): void {
  print(`${MARKS[outcome]}  ${group}: ${name}`)
  if (reason !== null) print(`        ${reason}`)
}

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      'base-url': text,
      'api-key': text,
      'private-key': text,
      'sign-query': text,
      'control-url': text,
      'webhook-host': text,
      only: { ...text, multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    print(HELP)
    return 0
  }
  const given = argumentsSchema.parse(values)
  const results = await runSuite({
    baseUrl: given['base-url'],
    apiKey: given['api-key'],
    privateKey: createPrivateKey(readPem(given['private-key'])),
    signQuery: given['sign-query'],
    controlUrl: given['control-url'],
    webhookHost: given['webhook-host'],
    groups: given.only,
    onResult: report,
  })
  const count = (outcome: Result['outcome']): number => results.filter((result) => result.outcome === outcome).length
  print(`${results.length} checks: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  return count('failed') === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  const reason = error instanceof z.ZodError ? error.issues.map(({ message }) => message).join('\n') : String(error)
  process.stderr.write(`conformance: ${reason}\n--help lists the flags\n`)
  process.exitCode = 1
}
