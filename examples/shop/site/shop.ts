/** The shop's page. It embeds the cashier like any merchant's page, and shows the events that the backend received. */
import type { CashierEvent, CashierTheme, MountedCashier } from '../../../public/embed.d.ts'

interface Overview {
  balances: { currency_id: string; currency_code: string; network: string; available: string; held: string }[]
  events: {
    cursor: string
    created_at: string
    data: { kind: string; status: string; amount: string | null; currency_code: string; network: string }
  }[]
  waiting: { withdrawal_id: string; amount: string; currency: { currency_code: string } }[]
}

const PRICE = '5'
const KINDS: Readonly<Record<string, string>> = { deposit: 'Deposit', payout: 'Withdrawal', onramp: 'Purchase' }

const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no #${id}`)
  return element
}

function tag(name: string, content: string, className = ''): HTMLElement {
  const element = document.createElement(name)
  element.textContent = content
  if (className !== '') element.className = className
  return element
}

const controls = byId('controls') as HTMLFormElement
const field = (name: string): HTMLSelectElement => controls.elements.namedItem(name) as HTMLSelectElement
const checked = (): string[] =>
  Array.from(controls.querySelectorAll<HTMLInputElement>('[name=flows]:checked'), ({ value }) => value)
const theme = (): CashierTheme => field('theme').value as CashierTheme

/** The choices are in the query string, so that a link or a reload keeps them. */
function readAddress(): void {
  const query = new URLSearchParams(location.search)
  const user = query.get('user')
  const has = (name: string, value: string | null): boolean =>
    Array.from(field(name).options).some((one) => one.value === value)
  if (user !== null && !has('user', user)) field('user').add(new Option(user, user))
  for (const name of ['user', 'theme', 'locale']) {
    const value = query.get(name)
    if (has(name, value)) field(name).value = value ?? ''
  }
  const flows = query.get('flows')?.split(',')
  for (const box of controls.querySelectorAll<HTMLInputElement>('[name=flows]')) {
    box.checked = flows?.includes(box.value) ?? true
  }
}

function writeAddress(): void {
  const query = new URLSearchParams({
    user: field('user').value,
    theme: theme(),
    locale: field('locale').value,
    flows: checked().join(','),
  })
  history.replaceState(null, '', `?${query.toString().replaceAll('%2C', ',')}`)
}

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { detail?: string; code?: string }
  if (!response.ok) throw new Error(answer.detail ?? 'The shop did not answer.', { cause: answer.code })
  return answer
}

async function fetchLaunchToken(): Promise<string> {
  const session = (await post('/shop/session', { user: field('user').value, flows: checked() })) as {
    launch_token: string
  }
  return session.launch_token
}

let balances: Overview['balances'] = []

async function refresh(): Promise<void> {
  const response = await fetch(`/shop/overview?user=${encodeURIComponent(field('user').value)}`)
  if (!response.ok) return
  const overview = (await response.json()) as Overview
  balances = overview.balances
  byId('balances').replaceChildren(
    ...balances.map(({ currency_code, network, available, held }) => {
      const row = tag('li', '')
      const detail = held === '0' || /^0\.0*$/.test(held) ? network : `${network}, ${held} held`
      row.append(tag('b', `${available} ${currency_code}`), tag('span', detail))
      return row
    }),
    ...(balances.length === 0 ? [tag('li', 'Nothing yet. Deposit something.', 'empty')] : []),
  )
  byId('feed').replaceChildren(
    ...overview.events.map(({ data }) => {
      const row = tag('li', '')
      const what = `${KINDS[data.kind] ?? data.kind} ${data.amount ?? ''} ${data.currency_code}`
      row.append(tag('span', what), tag('span', data.status.replaceAll('_', ' '), `state ${data.status}`))
      return row
    }),
    ...(overview.events.length === 0 ? [tag('li', 'Nothing yet.', 'empty')] : []),
  )
  byId('waiting').replaceChildren(
    ...overview.waiting.map(({ withdrawal_id, amount, currency }) => {
      const row = tag('li', '')
      const decide = (decision: string, label: string): HTMLElement => {
        const button = tag('button', label)
        button.addEventListener('click', () => {
          void post('/shop/decide', { withdrawal_id, decision }).finally(() => void refresh())
        })
        return button
      }
      row.append(tag('span', `Withdraw ${amount} ${currency.currency_code}?`))
      row.append(decide('approve', 'Approve'), decide('decline', 'Decline'))
      return row
    }),
  )
}

let mounted: MountedCashier | undefined

function onEvent(event: CashierEvent): void {
  byId('log').prepend(tag('li', JSON.stringify(event)))
  if (event.type === 'ready') byId('notice').textContent = ''
  if (event.type === 'transaction') void refresh()
  if (event.type === 'error') byId('notice').textContent = `Error from the cashier: ${event.message} (${event.code}).`
  if (event.type === 'close') {
    mounted?.destroy()
    const again = tag('button', 'Open the cashier')
    again.addEventListener('click', mount)
    byId('cashier').replaceChildren(again)
  }
}

function mount(): void {
  mounted?.destroy()
  byId('cashier').replaceChildren()
  byId('notice').textContent = ''
  mounted = Cashier.mount('#cashier', { fetchLaunchToken, onEvent, theme: theme(), locale: field('locale').value })
}

function showPlayer(): void {
  const name = field('user').selectedOptions[0]?.textContent ?? ''
  byId('player-name').textContent = name
  byId('initials').textContent = Array.from(name.matchAll(/\b\p{Lu}/gu), ([letter]) => letter).join('')
  document.documentElement.dataset['theme'] = theme()
  ;(byId('sandbox') as HTMLAnchorElement).search = `?user=${encodeURIComponent(field('user').value)}`
}

controls.addEventListener('change', ({ target }) => {
  const { name } = target as HTMLInputElement
  if (checked().length === 0) (target as HTMLInputElement).checked = true
  writeAddress()
  showPlayer()
  if (name === 'theme' || name === 'locale') {
    mounted?.update({ theme: theme(), locale: field('locale').value })
  } else {
    mount()
    void refresh()
  }
})

byId('buy').addEventListener('click', () => {
  const coin = balances.find(({ currency_code }) => currency_code === 'USDT')
  const show = (message: string): void => {
    byId('purchase').textContent = message
  }
  if (!coin) {
    show('You have no USDT yet. Deposit some first.')
    return
  }
  post('/shop/purchase', { user: field('user').value, currency_id: coin.currency_id, amount: PRICE })
    .then(
      () => show('It is yours.'),
      (error: unknown) => {
        const short = error instanceof Error && error.cause === 'insufficient_balance'
        show(short ? 'Not enough USDT. Deposit some first.' : 'That did not work. Nothing was taken.')
      },
    )
    .finally(() => void refresh())
})

readAddress()
showPlayer()
if ('Cashier' in window) mount()
else byId('notice').textContent = 'The cashier’s script could not be loaded. Is the cashier running?'
void refresh()
setInterval(() => {
  if (document.visibilityState === 'visible') void refresh()
}, 3000)
