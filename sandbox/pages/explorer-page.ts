import type { Context } from '../context.ts'
import { currencyById } from '../currencies/find-currency.ts'
import { transactionsWithHash } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'
import { escaped, htmlPage } from './html.ts'
import { STATUS_LABELS, STATUS_TONES } from './status-labels.ts'

const field = (name: string, value: string | null): string =>
  value === null ? '' : `<dt>${name}</dt><dd>${escaped(value)}</dd>`

/** Such as `2026-11-26 04:23:27 UTC`. */
const timeText = (at: number): string => new Date(at).toISOString().replace(/T(.{8}).*/, ' $1 UTC')

function transactionCard(transaction: Transaction): string {
  const { code, network } = currencyById(transaction.currency_id)
  const { uuid, status, type, amount, user_reference: user } = transaction
  return `<section class="card">
<h2>${escaped(`${amount} ${code}`)} <span class="pill ${STATUS_TONES[status] ?? ''}">${escaped(STATUS_LABELS[status] ?? status)}</span></h2>
<dl>
${field('Kind', type)}
${field('Network', network)}
${field('From', transaction.from_address)}
${field('To', transaction.to_address)}
${field('Time', timeText(transaction.completed_at ?? transaction.inserted_at))}
${field('User', user)}
${field('Transaction at the gateway', uuid)}
</dl>
<p><a href="/control?user=${encodeURIComponent(user)}">All of this user on the control page</a></p>
</section>`
}

/** The page that a blockchain explorer would show for a hash. The sandbox invented the hash. */
export function explorerPage(network: string, hash: string, context: Context): { html: string; found: boolean } {
  const found = transactionsWithHash(context.database, hash).filter(
    ({ currency_id }) => currencyById(currency_id).network === network,
  )
  const cards =
    found.length === 0
      ? `<section class="card"><p>This sandbox has no transaction with this hash on ${escaped(network)}. A reset deletes all of them.</p></section>`
      : found.map(transactionCard).join('\n')
  const html = htmlPage({
    title: `Transaction on ${network} (sandbox)`,
    style: 'explorer',
    theme: 'auto',
    body: `<main>
<p class="pill wait">Sandbox: on no blockchain</p>
<h1>Transaction on ${escaped(network)}</h1>
<p class="hash">${escaped(hash)}</p>
${cards}
</main>`,
  })
  return { html, found: found.length > 0 }
}
