import type { Sandbox } from '../start-sandbox.ts'
import type { Settings } from './read-settings.ts'

/** What the process prints once it listens. The first line is for programs: `listening on URL`. */
export function startMessage({ options, made }: Settings, sandbox: Sandbox): readonly string[] {
  const merchants = options.merchants.map(
    ({ id, api_key, webhook_url }) => `${id} (API key ${api_key}), webhooks to ${webhook_url ?? 'nowhere'}`,
  )
  const switched = Object.entries(options.modes ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const rows: readonly (readonly [string, string])[] = [
    ['control page', `${sandbox.origin}/control`],
    ['data', options.data],
    ...merchants.map((merchant) => ['merchant', merchant] as const),
    ['switches', switched.length === 0 ? 'all as usual' : switched.join(' ')],
  ]
  return [
    `sandbox: listening on ${sandbox.url}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
    ...cashierLines(options.merchants[0]?.api_key ?? '', made, sandbox.url),
  ]
}

/** Where keys were made here, the lines that a cashier needs for them. */
function cashierLines(apiKey: string, made: Settings['made'], url: string): readonly string[] {
  if (made.merchantPrivateKey === undefined || made.gatewayPublicKey === undefined) return []
  return [
    '  for the cashier:',
    `    GATEWAY_BASE_URL=${url}`,
    `    GATEWAY_API_KEY=${apiKey}`,
    `    GATEWAY_PRIVATE_KEY=file:${made.merchantPrivateKey}`,
    `    GATEWAY_PUBLIC_KEY=file:${made.gatewayPublicKey}`,
  ]
}
