/** The user of the page. Buttons act for this user, and the page can show only this user's rows. */
import { byId, element } from '../element.ts'

const FIRST_USER = 'user_1'

const input = (): HTMLInputElement => byId('user') as HTMLInputElement
const only = (): HTMLInputElement => byId('only') as HTMLInputElement

/** The user for whom the buttons act. */
export const subject = (): string => input().value.trim() || FIRST_USER

/** The user whose rows are shown; null for all users. */
export const shownUser = (): string | null => (only().checked && input().value.trim() !== '' ? subject() : null)

/** Writes the choice into the address, so that a link or a reload keeps it. */
function writeAddress(): void {
  const query = new URLSearchParams(input().value.trim() === '' ? {} : { user: subject() })
  if (!only().checked) query.set('show', 'all')
  history.replaceState(null, '', `?${query.toString()}${location.hash}`)
}

/** @param changed called when the user or the filter changes */
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

/** Offers the known users. If no user is chosen, the latest user is chosen. */
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
