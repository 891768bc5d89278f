import { createPrivateKey } from 'node:crypto'
import { GROUPS } from '../conformance/check.ts'
import type { Group } from '../conformance/check.ts'
import { jsonReport, textReport } from '../conformance/report.ts'
import { runSuite } from '../conformance/run-suite.ts'
import type { SuiteOptions } from '../conformance/run-suite.ts'
import { sendRequest } from '../conformance/send-request.ts'
import { readPrivateKey } from '../settings/read-keys.ts'
import { UsageError } from './command.ts'
import type { Command, Given } from './command.ts'

const QUERY_FORMS = ['bare', 'question-mark'] as const

function webAddress(name: string, given: string): string {
  if (URL.canParse(given) && /^https?:/.test(given)) return given.endsWith('/') ? given.slice(0, -1) : given
  throw new UsageError(`${name} must be an http or https URL, not ${given}`)
}

/** A credential: a flag, or the variable that a cashier has too. */
function credential({ options }: Given, name: string, variable: string): string {
  const given = options[name] ?? process.env[variable] ?? ''
  if (given === '') throw new UsageError(`--${name} is missing; ${variable} can hold it too`)
  return given
}

function privateKeyOf(given: Given) {
  try {
    return createPrivateKey(readPrivateKey(credential(given, 'private-key', 'GATEWAY_PRIVATE_KEY')))
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--private-key ${error.message}`)
    throw error
  }
}

function groupsOf({ lists }: Given): readonly Group[] {
  const named = lists['only'] ?? GROUPS
  return named.map((name) => {
    const group = GROUPS.find((one) => one === name)
    if (group) return group
    throw new UsageError(`--only must be one of ${GROUPS.join(', ')}, not ${name}`)
  })
}

function suiteOptions(given: Given): SuiteOptions {
  const [url = process.env['GATEWAY_BASE_URL'] ?? '', more] = given.words
  if (url === '') throw new UsageError('conformance needs the URL of a gateway; GATEWAY_BASE_URL can hold it too')
  if (more !== undefined) throw new UsageError(`conformance takes one URL; ${more} is too much`)
  const { 'sign-query': form = 'bare', 'control-url': controlUrl, 'webhook-host': webhookHost } = given.options
  const signQuery = QUERY_FORMS.find((one) => one === form)
  if (!signQuery) throw new UsageError(`--sign-query must be one of ${QUERY_FORMS.join(', ')}, not ${form}`)
  return {
    baseUrl: webAddress('the URL of the gateway', url),
    apiKey: credential(given, 'api-key', 'GATEWAY_API_KEY'),
    privateKey: privateKeyOf(given),
    signQuery,
    ...(controlUrl === undefined ? {} : { controlUrl: webAddress('--control-url', controlUrl) }),
    ...(webhookHost === undefined ? {} : { webhookHost }),
    groups: groupsOf(given),
  }
}

/** One error for a gateway that is not there, instead of one for each check. */
async function requireAnswer(baseUrl: string): Promise<void> {
  const url = new URL(`${baseUrl}/v1/merchant/currencies`)
  try {
    await sendRequest({ method: 'GET', url, headers: {}, body: '' })
  } catch (error) {
    throw new UsageError(`${baseUrl} does not answer: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export const conformanceCommand: Command = {
  name: 'conformance',
  usage: 'conformance URL [options]',
  about:
    "Checks any gateway against its specification, and reports what was called and what came. It changes nothing that moves money unless --control-url names a sandbox's control API. The exit code is 1 if a check failed.",
  options: [
    { name: 'api-key', takes: 'KEY', about: "the merchant's key [GATEWAY_API_KEY]" },
    {
      name: 'private-key',
      takes: 'KEY',
      about: "the merchant's private key: file:PATH, or base64 of its PEM [GATEWAY_PRIVATE_KEY]",
    },
    { name: 'sign-query', takes: 'FORM', about: 'how QUERY is signed: bare or question-mark [bare]' },
    {
      name: 'control-url',
      takes: 'URL',
      about: 'the control API, such as http://localhost:4010/control; without it checks that need it are skipped',
    },
    { name: 'webhook-host', takes: 'HOST', about: 'the name of this machine for the gateway [127.0.0.1]' },
    { name: 'only', takes: 'GROUP', about: `${GROUPS.join(', ')}; may be repeated`, repeated: true },
    { name: 'json', takes: null, about: 'the report as JSON, with every call' },
  ],
  async run(given, print) {
    const options = suiteOptions(given)
    await requireAnswer(options.baseUrl)
    const startedAt = new Date()
    const started = performance.now()
    const results = await runSuite(options)
    const details = { gateway: options.baseUrl, startedAt, tookMs: performance.now() - started }
    print(
      given.switches.has('json') ? JSON.stringify(jsonReport(results, details), null, 2) : textReport(results, details),
    )
    return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0
  },
}
