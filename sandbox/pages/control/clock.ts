import type { Overview } from '../../control/overview.ts'
import { element } from '../element.ts'
import { control } from './api.ts'
import { actionButton } from './parts.ts'
import type { RunAction } from './run-action.ts'
import { spanText } from './waits.ts'

const HOUR = 3_600_000
const MOVES = [
  ['− 1 h', -HOUR],
  ['+ 1 h', HOUR],
  ['+ 1 day', 24 * HOUR],
] as const

/** The gateway's clock minus this browser's. */
let ahead = 0

function showTime(face: HTMLElement): void {
  const at = new Date(Date.now() + ahead)
  const day = at.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  face.replaceChildren(element('b', {}, at.toLocaleTimeString('en-GB')), ` ${day}`)
}

setInterval(() => {
  for (const face of document.querySelectorAll<HTMLElement>('.face')) showTime(face)
}, 1000)

/** Follows the gateway's clock. */
export function setClock({ now }: Overview): void {
  ahead = now - Date.now()
}

export function clockPanel({ clock_offset_ms: offset }: Overview, act: RunAction): Node {
  const face = element('p', { class: 'face' })
  showTime(face)
  const state = offset === 0 ? 'real time' : `${spanText(offset)} ${offset > 0 ? 'ahead' : 'behind'}`
  const move = (body: object): void => act('The clock is moved.', () => control('POST', '/clock', body))
  return element(
    'div',
    {},
    element('div', { class: 'line' }, face, element('span', { class: `pill ${offset === 0 ? '' : 'unsure'}` }, state)),
    element(
      'div',
      { class: 'buttons' },
      ...MOVES.map(([text, advance_ms]) => actionButton(text, () => move({ advance_ms }))),
      offset !== 0 && actionButton('Real time', () => move({ offset_ms: 0 }), 'primary'),
    ),
  )
}
