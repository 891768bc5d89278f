import type { Sandbox } from '../start-sandbox.ts'
import type { Settings } from './read-settings.ts'

type Merchant = Settings['options']['merchants'][number]

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
  const several = options.merchants.length > 1
  return [
    `sandbox: listening on ${sandbox.url}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
    ...options.merchants.flatMap((merchant) => [
      several ? `  for the cashier of ${merchant.id}:` : '  for the cashier:',
      ...cashierLines(merchant, createdKeys, sandbox),
    ]),
  ]
}

/** The settings that a merchant's cashier needs. The sandbox knows a private key only if it created the key. */
function cashierLines(
  merchant: Merchant,
  { merchantPrivateKey, gatewayPublicKey }: Settings['createdKeys'],
  sandbox: Sandbox,
): readonly string[] {
  const publicKey =
    gatewayPublicKey === undefined
      ? Buffer.from(sandbox.gatewayPublicKey).toString('base64')
      : `file:${gatewayPublicKey}`
  return [
    `    GATEWAY_BASE_URL=${sandbox.url}`,
    `    GATEWAY_API_KEY=${merchant.api_key}`,
    `    GATEWAY_MERCHANT_REFERENCE=${merchant.id}`,
    merchantPrivateKey === undefined
      ? '    # GATEWAY_PRIVATE_KEY: the private key of the public key that you gave'
      : `    GATEWAY_PRIVATE_KEY=file:${merchantPrivateKey}`,
    `    GATEWAY_PUBLIC_KEY=${publicKey}`,
    `    ONRAMP_ORIGINS=${sandbox.origin}`,
    `    EXPLORER_URL=${sandbox.origin}/explorer/{network}/{hash}`,
  ]
}
