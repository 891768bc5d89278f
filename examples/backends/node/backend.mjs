// A merchant's backend in Node 20 or later, with crypto-cashier-server. A file has one booking or cursor per line, and each
// key once.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { CashierError, createCashier, createVerifier, NotVerifiedError } from 'crypto-cashier-server'

const { CASHIER_URL, MERCHANT_API_KEY, MERCHANT_WEBHOOK_SECRET, DATA = 'bookings.jsonl', PORT = '8080' } = process.env
const { POSTPONE_ABOVE = '100' } = process.env // Of any currency; a person decides.
const cashier = createCashier({ url: CASHIER_URL, apiKey: MERCHANT_API_KEY })

// An empty secret is refused, because anybody could sign with it.
let verifier
try {
  verifier = createVerifier(MERCHANT_WEBHOOK_SECRET)
} catch (cause) {
  throw new Error('MERCHANT_WEBHOOK_SECRET is missing or malformed. Use the value of the cashier: whsec_ and Base64.', {
    cause,
  })
}

// --- Bookings. Each `key` is booked once; what is told anew at a later time replaces it. Amounts are integers with 30 fractional digits, never floating point; further digits are cut off.
const DIGITS = 30
const books = new Map()
let cursor = null // Of the cashier's feed.
for (const line of existsSync(DATA) ? readFileSync(DATA, 'utf8').split('\n') : []) {
  try {
    const stored = JSON.parse(line)
    if (stored.cursor === undefined) books.set(stored.key, stored)
    else cursor = stored.cursor
  } catch {
    // Empty, or cut off by a crash: that call was not answered, so the cashier repeats it.
  }
}

function book(key, user, currency, amount, at = '') {
  if (books.has(key) && books.get(key).at >= at) return
  const booking = { key, user, currency, amount, at }
  write(booking) // A booking is on disk before it counts.
  books.set(key, booking)
}

const write = (value) => appendFileSync(DATA, `\n${JSON.stringify(value)}`, { flush: true })

function units(amount) {
  const [whole, fraction = ''] = amount.replace('-', '').split('.')
  const value = BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'))
  return amount.startsWith('-') ? -value : value
}

function balances(user) {
  const sums = {}
  for (const one of books.values()) {
    if (one.user === user) sums[one.currency] = (sums[one.currency] ?? 0n) + units(one.amount)
  }
  return sums
}

function decimalText(value) {
  const digits = (value < 0n ? -value : value).toString().padStart(DIGITS + 1, '0')
  const text = `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`.replace(/\.?0+$/, '')
  return (value < 0n ? '-' : '') + text
}

// --- Events of the cashier. A purchase sends `onramp` and `deposit` events. Only the deposit is booked.
// The success of a deposit may come again with more digits.
function apply({ kind, status, transaction_uuid, withdrawal_id, user_reference_id, ...data }) {
  const currency = `${data.currency_code} ${data.network}`
  if (kind === 'deposit' && status === 'succeeded') {
    book(`deposit:${transaction_uuid}`, user_reference_id, currency, data.amount, data.updated_at)
  }
  const paid = `paid:${withdrawal_id}`
  if (kind !== 'payout' || withdrawal_id === undefined || books.has(paid)) return // Nothing undoes a payment.
  // The reservation is the debit, unless there is none.
  if (status === 'succeeded') {
    book(paid, user_reference_id, currency, isReserved(withdrawal_id) ? '0' : `-${data.amount}`)
  }
  if (status === 'failed') {
    const reserved = books.get(`reserve:${withdrawal_id}`)
    if (reserved) book(`return:${withdrawal_id}`, reserved.user, reserved.currency, reserved.amount.replace('-', ''))
    // The question may still come: it reserves nothing then.
    else book(`decline:${withdrawal_id}`, user_reference_id, currency, '0')
  }
}

const isReserved = (withdrawal) => books.has(`reserve:${withdrawal}`) && !books.has(`return:${withdrawal}`)

// Webhooks are fast, but one that is refused for three days does not come again. The feed tells every change.
async function followFeed() {
  const store = {
    load: () => cursor,
    save(next) {
      write({ cursor: next })
      cursor = next
    },
  }
  // A backup of the cashier was restored: every event comes again, and is booked already.
  const onCursorLost = () => store.save(null)
  for (;;) {
    try {
      for await (const { data } of cashier.follow({ cursor: store, onCursorLost })) apply(data)
    } catch (error) {
      console.error('the feed:', error.message)
      await sleep(2000)
    }
  }
}

// A repeated question gets the same answer, until the withdrawal has failed or is paid: then it is declined.
function authorize({ withdrawal_id, user_reference_id: user, amount, currency: { currency_code, network } }) {
  if (withdrawal_id.startsWith('test_')) return { decision: 'approve' } // A test question of `npm run doctor`.
  const currency = `${currency_code} ${network}`
  const isBooked = (what) => books.has(`${what}:${withdrawal_id}`)
  if (!['reserve', 'decline', 'paid'].some(isBooked)) {
    if (units(amount) <= (balances(user)[currency] ?? 0n))
      book(`reserve:${withdrawal_id}`, user, currency, `-${amount}`)
    else book(`decline:${withdrawal_id}`, user, currency, '0')
  }
  if (!isReserved(withdrawal_id) || isBooked('paid'))
    return { decision: 'decline', user_message: 'Not enough balance.' }
  return { decision: units(amount) > units(POSTPONE_ABOVE) ? 'postpone' : 'approve' }
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Wallet</title><div id="cashier"></div>
<script src="${CASHIER_URL}/embed.js"></script>
<script>Cashier.mount('#cashier', { fetchLaunchToken: async () => {
  const response = await fetch('/cashier-token', { method: 'POST' })
  if (!response.ok) throw new Error('status ' + response.status)
  return (await response.json()).launch_token
} })</script>`

const signedIn = (request) => /(?:^|; )user=([A-Za-z0-9_-]{1,128})/.exec(request.headers.cookie ?? '')?.[1]

const routes = {
  'GET /': () => [200, PAGE, { 'content-type': 'text/html; charset=utf-8' }],
  // Stands in for your own sign-in.
  'GET /sign-in': (request, url) => {
    const user = url.searchParams.get('user') ?? ''
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(user)) return [422, {}]
    return [303, '', { location: '/', 'set-cookie': `user=${user}; HttpOnly; SameSite=Lax; Path=/` }]
  },
  'POST /cashier-token': async (request) => {
    const user = signedIn(request)
    if (!user) return [401, {}]
    const { launch_token } = await cashier.createSession({ user_reference_id: user })
    return [200, { launch_token }]
  },
  'GET /balance': (request) => {
    const sums = Object.entries(balances(signedIn(request)))
    return [200, Object.fromEntries(sums.map(([currency, value]) => [currency, decimalText(value)]))]
  },
  'POST /webhook': async (request) => {
    const event = verifier.event(await buffer(request), request.headers)
    if (event.type === 'transaction.updated') apply(event.data)
    return [200, {}]
  },
  'POST /authorize': async (request) => {
    const asked = verifier.authorization(await buffer(request), request.headers)
    return [200, authorize(asked)]
  },
}

const failed = (error) =>
  error instanceof NotVerifiedError ? [401, {}] : [error instanceof CashierError ? 502 : 500, { error: error.message }]

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://backend')
  const route = routes[`${request.method} ${url.pathname}`] ?? (() => [404, {}])
  const [status, body, headers] = await Promise.resolve()
    .then(() => route(request, url))
    .catch(failed)
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}`))
void followFeed()
