import type { Sandbox } from '../start-sandbox.ts'
import type { Settings } from './read-settings.ts'

/** Printed when the sandbox listens. The first line is for programs: `listening on URL`. */
export function startMessage({ options, createdKeys }: Settings, sandbox: Sandbox): readonly string[] {
  const merchants = options.merchants.map(
    ({ id, api_key, webhook_url }) => `${id} (API key ${api_key}), webhooks to ${webhook_url ?? 'nowhere'}`,
  )
  const changedModes = Object.entries(options.modes ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const rows: readonly (readonly [string, string])[] = [
    ['control page', `${sandbox.origin}/control`],
    ['data', options.data],
    ...merchants.map((merchant) => ['merchant', merchant] as const),
    ['modes', changedModes.length === 0 ? 'defaults' : changedModes.join(' ')],
  ]
  return [
    `sandbox: listening on ${sandbox.url}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
    ...cashierLines(options.merchants[0], createdKeys, sandbox.url),
  ]
}

/** When keys were created here: the settings that a cashier needs. */
function cashierLines(
  merchant: Settings['options']['merchants'][number] | undefined,
  createdKeys: Settings['createdKeys'],
  url: string,
): readonly string[] {
  if (createdKeys.merchantPrivateKey === undefined || createdKeys.gatewayPublicKey === undefined) return []
  return [
    '  for the cashier:',
    `    GATEWAY_BASE_URL=${url}`,
    `    GATEWAY_API_KEY=${merchant?.api_key ?? ''}`,
    `    GATEWAY_MERCHANT_REFERENCE=${merchant?.id ?? ''}`,
    `    GATEWAY_PRIVATE_KEY=file:${createdKeys.merchantPrivateKey}`,
    `    GATEWAY_PUBLIC_KEY=file:${createdKeys.gatewayPublicKey}`,
  ]
}
