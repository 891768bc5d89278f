/**
 * `npm run erase-user <user_reference_id>`: erases a user's personal data; the ledger stays consistent
 * (docs/explanation/security.md).
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { eraseUser } from '#lib/server/store/commands/erase-user.ts'
import { usageText } from './program/help.ts'
import { withStore } from './with-store.ts'

const [user, ...more] = parseArgs({ allowPositionals: true, strict: false }).positionals
if (user === undefined || more.length > 0 || !/^[A-Za-z0-9_-]{1,128}$/.test(user)) {
  console.error(`Usage: ${usageText('erase-user')}`)
  process.exit(2)
}

await withStore(async (store) => {
  const pseudonym = `erased_${randomBytes(16).toString('base64url')}`
  const result = await eraseUser(store, user, pseudonym, Date.now)
  switch (result.outcome) {
    case 'unknown':
      console.error(`No data is stored for ${user}.`)
      return 1
    case 'open':
      console.error(`Nothing was erased: this is open for ${user}. Try again when it has ended or was settled.`)
      for (const { what, id, status } of result.open) console.error(`  ${what} ${id} ${status}`)
      return 1
    case 'erased':
      console.log(`${user} is erased. The ledger keeps the postings under ${result.erased.pseudonym}.`)
      for (const { currency_id, available } of result.erased.balances)
        if (!/^0(\.0*)?$/.test(available)) console.log(`  ${available} of currency ${currency_id} remain in the ledger`)
      if (result.erased.quarantined > 0)
        console.log(`  ${result.erased.quarantined} webhooks in quarantine were deleted; they can no longer be applied`)
      return 0
  }
})
