/** The user of the page: whom its buttons act for, and whose rows alone it shows, where that is asked for. */
import { byId, element } from '../element.ts'

const FIRST_USER = 'user_1'

const input = (): HTMLInputElement => byId('user') as HTMLInputElement
const only = (): HTMLInputElement => byId('only') as HTMLInputElement

/** The user whom the buttons act for. */
export const subject = (): string => input().value.trim() || FIRST_USER

/** Whose rows alone are shown; null for everybody's. */
export const shownUser = (): string | null => (only().checked && input().value.trim() !== '' ? subject() : null)

/** The choice is in the address, so that a link or a reload keeps it. */
function writeAddress(): void {
  const query = new URLSearchParams(input().value.trim() === '' ? {} : { user: subject() })
  if (!only().checked) query.set('show', 'all')
  history.replaceState(null, '', `?${query.toString()}${location.hash}`)
}

/** @param changed called when another user is chosen, or other rows */
export function openSubject(changed: () => void): void {
  const query = new URLSearchParams(location.search)
  const given = query.get('user')
  if (given !== null) {
    input().value = given
    only().checked = query.get('show') !== 'all'
  }
  const tell = (): void => {
    writeAddress()
    changed()
  }
  input().addEventListener('input', tell)
  only().addEventListener('change', tell)
  byId('subject').addEventListener('submit', (event) => {
    event.preventDefault()
  })
}

let offered = ''

/** Known users to choose from. The latest is chosen once, where none is. */
export function offerUsers(users: readonly string[]): void {
  const [latest] = users
  if (input().value === '' && document.activeElement !== input() && latest !== undefined) {
    input().value = latest
    writeAddress()
  }
  if (offered === JSON.stringify(users)) return
  offered = JSON.stringify(users)
  byId('users').replaceChildren(...users.map((user) => element('option', { value: user })))
}
