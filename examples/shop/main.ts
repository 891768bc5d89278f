/** Starts the demo shop; `--help` lists its settings. */
import { readSettings, settingsHelp } from './settings.ts'
import { startShop } from './start-shop.ts'

if (process.argv.includes('--help')) {
  console.log(`A small shop that embeds the cashier. It is configured by environment variables:\n${settingsHelp()}`)
  process.exit(0)
}

try {
  const settings = readSettings(process.env)
  const shop = await startShop(settings)
  console.log(`shop: cashier ${settings.CASHIER_URL}, sandbox ${settings.SANDBOX_URL}`)
  console.log(
    `shop: authorization of withdrawals: ${settings.MERCHANT_WEBHOOK_SECRET ? settings.MERCHANT_DECISION : 'off, MERCHANT_WEBHOOK_SECRET is not set'}`,
  )
  console.log(`listening on ${shop.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void shop.stop().then(() => process.exit(0)))
  }
} catch (error) {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  const message = error instanceof Error ? error.message : String(error)
  console.error(taken ? 'shop: the port is taken; set MERCHANT_PORT to another' : `shop: cannot start\n${message}`)
  process.exit(1)
}
