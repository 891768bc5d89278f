/** The sandbox gateway, and three production cashiers on the cluster. Needs `npm run build`. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { merchantApi, type MerchantApi } from '../fixtures/merchant-api.ts'
import { pairedEnv } from '../fixtures/paired-env.ts'
import { startCashier, startSandbox, type EnvVariables, type Program } from '../fixtures/processes.ts'
import { sandboxControl, type SandboxControl } from '../fixtures/sandbox-control.ts'
import { openPage, type PageClient } from '../system/page.ts'

const LOCAL = 'http://localhost:'
const SANDBOX_PORT = 4010
const PORTS = [3000, 3001, 3002] as const
const PAYOUT_MS = '500'

export interface FailoverSystem {
  readonly urls: readonly string[]
  readonly control: SandboxControl
  readonly merchant: MerchantApi
  readonly gatewayKey: string
  /** The id of USDT on Tron. */
  readonly currency: string
  page(user: string): Promise<PageClient>
}

export async function startFailoverSystem(
  folder: string,
  databaseUrl: string,
  settings: EnvVariables,
): Promise<FailoverSystem> {
  const publicUrl = `${LOCAL}${PORTS[0]}`
  const paired = pairedEnv({ folder, sandboxPort: SANDBOX_PORT, cashierUrl: publicUrl })
  await startSandbox({ ...paired.sandbox, SANDBOX_PAYOUTS_COMPLETE_AFTER_MS: PAYOUT_MS })
  const env: EnvVariables = {
    ...paired.cashier,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: databaseUrl,
    RATE_LIMIT: 'off',
    WITHDRAWAL_ABSENCE_S: '20',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const programs: Program[] = []
  for (const port of PORTS) programs.push(await startCashier({ ...env, PORT: String(port) }))
  const control = sandboxControl(paired.sandboxUrl)
  const usdt = (await control.currencies()).find(({ code, network }) => code === 'USDT' && network === 'Tron')
  if (usdt === undefined) throw new Error('the sandbox has no USDT on Tron')
  process.once('exit', () => {
    if (!existsSync(folder)) return
    for (const [at, { process: cashier }] of programs.entries())
      writeFileSync(join(folder, `cashier-${at}.log`), cashier.output())
  })
  const merchant = merchantApi(publicUrl, paired.merchantApiKey)
  return {
    urls: programs.map(({ url }) => url),
    control,
    currency: usdt.id,
    merchant,
    gatewayKey: paired.gatewayKey,
    page: async (user) =>
      openPage({ url: publicUrl, publicUrl, session: await merchant.createSession({ user_reference_id: user }) }),
  }
}
