/** Starts the demo merchant; `--help` lists its settings. */
import { readSettings, settingsHelp } from './settings.ts'
import { startMerchant } from './start-merchant.ts'

if (process.argv.includes('--help')) {
  console.log(`A small shop that embeds the cashier. Settings, by environment:\n${settingsHelp()}`)
  process.exit(0)
}

try {
  const settings = readSettings(process.env)
  const merchant = await startMerchant(settings)
  console.log(`merchant: cashier ${settings.CASHIER_URL}, sandbox ${settings.SANDBOX_URL}`)
  console.log(
    `merchant: withdrawals ${settings.MERCHANT_WEBHOOK_SECRET ? settings.MERCHANT_DECISION : 'not asked for'}`,
  )
  console.log(`listening on ${merchant.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void merchant.stop().then(() => process.exit(0)))
  }
} catch (error) {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  const words = error instanceof Error ? error.message : String(error)
  console.error(
    taken ? 'merchant: this port is taken; set MERCHANT_PORT to another' : `merchant cannot start:\n${words}`,
  )
  process.exit(1)
}
