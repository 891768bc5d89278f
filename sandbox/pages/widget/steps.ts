import { element } from '../element.ts'
import { cameraStep } from './camera.ts'
import type { SendAction, ActionResult } from './send-action.ts'
import type { WidgetAction, WidgetSession } from './session.ts'

export interface Widget {
  readonly session: WidgetSession
  readonly root: HTMLElement
  readonly send: SendAction
}

const RETURN_AFTER_MS = 6000
const STEP_NAMES = ['Amount', 'Identity', 'Payment'] as const

function show({ root }: Widget, at: number, ...content: readonly (Node | string | null | false)[]): void {
  const progress = element(
    'ol',
    { class: 'progress', 'aria-label': 'Steps' },
    ...STEP_NAMES.map((name, step) =>
      element('li', step === at ? { 'aria-current': 'step' } : { class: step < at ? 'done' : null }, name),
    ),
  )
  const brand = element(
    'header',
    { class: 'brand' },
    element('b', {}, 'Sandbox Pay'),
    element('span', {}, 'Test provider'),
  )
  root.replaceChildren(
    brand,
    progress,
    element('section', { class: 'step' }, ...content.filter((part) => part !== null)),
  )
  root.querySelector('h1')?.focus()
}

/** A fiat amount with its currency sign. The decimal text is formatted without conversion to a number. */
function fiat(amount: string, currency: string): string {
  const digits = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    maximumFractionDigits: Math.max(2, Math.min(digits, 20)),
  })
  return format.format(amount as Intl.StringNumericLiteral)
}

const countryName = (code: string): string => new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code

const title = (text: string): HTMLElement => element('h1', { tabindex: '-1' }, text)

const locked = (name: string, value: string, isLocked = true): HTMLElement =>
  element('div', {}, element('dt', {}, name), element('dd', isLocked ? { class: 'locked' } : {}, value))

const button = (text: string, click: () => void, look = ''): HTMLElement =>
  element('button', { type: 'button', class: look, click }, text)

function leave({ session, root }: Widget): void {
  if (session.redirectUrl !== null) location.assign(session.redirectUrl)
  else root.replaceChildren(title('You can close this page.'))
}

export function showStart(widget: Widget): void {
  const { session } = widget
  const { amount, fiatCurrency, youGet } = session
  const destination = session.wallet === null ? 'Your account' : session.wallet
  show(
    widget,
    0,
    title(`Buy ${session.currencyName}`),
    amount === null ? null : element('p', { class: 'big' }, fiat(amount, fiatCurrency ?? 'USD')),
    youGet === null ? null : element('p', { class: 'muted' }, `You get about ${youGet} ${session.currencyCode}`),
    element(
      'dl',
      { class: 'facts' },
      ...(amount === null ? [] : [locked('You pay', fiat(amount, fiatCurrency ?? 'USD'))]),
      locked('Currency', `${session.currencyCode} on ${session.network}`),
      locked('Country', countryName(session.country)),
      locked('Goes to', destination, false),
    ),
    button('Continue', () => showIdentity(widget), 'primary'),
    button('Leave without paying', () => leave(widget)),
  )
}

function showIdentity(widget: Widget): void {
  const camera = cameraStep(() => showPayment(widget))
  const back = (): void => {
    camera.stop()
    showStart(widget)
  }
  show(
    widget,
    1,
    title('Check your identity'),
    element('p', { class: 'muted' }, 'Hold your face in the frame. Nothing is recorded or sent.'),
    camera.step,
    button('Back', back),
  )
}

function amountField(): HTMLInputElement {
  return element('input', { id: 'amount', inputmode: 'decimal', value: '100', autocomplete: 'off' })
}

function showPayment(widget: Widget): void {
  const { amount, fiatCurrency } = widget.session
  const field = amount === null ? amountField() : null
  const fault = element('p', { class: 'fault', role: 'alert' })
  const pay = async (action: WidgetAction): Promise<void> => {
    const sent: ActionResult = await widget.send(action, field ? { amount: field.value.trim() } : {})
    if ('message' in sent) fault.textContent = sent.message
    else if (sent.status === 'failed') showFailed(widget)
    else showDone(widget, sent.status)
  }
  const price = amount === null ? 'now' : fiat(amount, fiatCurrency ?? 'USD')
  show(
    widget,
    2,
    title('Pay by card'),
    field ? element('label', { for: 'amount' }, 'Amount in US dollars', field) : element('p', { class: 'big' }, price),
    element(
      'div',
      { class: 'bank-card', 'aria-label': 'Test card' },
      element('span', {}, 'Test card'),
      element('b', {}, '4242 4242 4242 4242'),
      element('span', {}, '12 / 34'),
    ),
    element('p', { class: 'muted' }, 'Nothing is charged.'),
    fault,
    button(`Pay ${price}`, () => void pay('pay'), 'primary'),
    element(
      'div',
      { class: 'strip' },
      element('span', {}, 'Sandbox'),
      button('Pay, and deliver at once', () => void pay('pay_and_deliver')),
      button('Let the payment fail', () => void pay('fail')),
    ),
    button('Leave without paying', () => leave(widget)),
  )
}

function goBackSoon(widget: Widget): Node | false {
  if (widget.session.redirectUrl === null) return element('p', { class: 'muted' }, 'You can close this page.')
  setTimeout(() => leave(widget), RETURN_AFTER_MS)
  return button('Return to the merchant', () => leave(widget), 'primary')
}

export function showDone(widget: Widget, status: WidgetSession['status']): void {
  const { currencyCode } = widget.session
  const delivered = status === 'succeeded'
  show(
    widget,
    3,
    element('div', { class: 'mark ok', 'aria-hidden': 'true' }, '✓'),
    title('Payment received'),
    element(
      'p',
      { class: 'muted' },
      delivered ? `Your ${currencyCode} has been sent.` : `Your ${currencyCode} is on its way.`,
    ),
    goBackSoon(widget),
  )
}

export function showFailed(widget: Widget): void {
  show(
    widget,
    3,
    element('div', { class: 'mark bad', 'aria-hidden': 'true' }, '×'),
    title('The payment did not go through'),
    element('p', { class: 'muted' }, 'Nothing was charged.'),
    goBackSoon(widget),
  )
}
