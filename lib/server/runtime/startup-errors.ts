import { isStoreFailure } from '../store/database/store-fault.ts'
import { commandText } from './command-text.ts'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The reason why the port cannot be used, as a line for a terminal. */
export function listenError(
  error: unknown,
  { port, host }: { readonly port: number; readonly host: string | null },
): string {
  const place = host === null ? `port ${port}` : `port ${port} of ${host}`
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `${place} is taken by another program: stop it, or set PORT to another one`,
    EACCES: `${place} may not be used by this user: set PORT to a number above 1023`,
    EADDRNOTAVAIL: `${String(host)} is no address of this machine: correct HOST`,
    ENOTFOUND: `${String(host)} is no known name: correct HOST`,
  }
  return `Cannot listen: ${reasons[codeOf(error)] ?? String(error)}.\n`
}

/** PostgreSQL's codes for a wrong password, a missing database, and a missing right to create tables. */
const SETUP_FAULT = /^(28|3D000|42501)/

/** The reason why the process cannot start, as a line for a terminal. */
export function startupError(error: unknown): string {
  const message = error instanceof Error ? error.message || codeOf(error) : String(error)
  if (!isStoreFailure(error) && !SETUP_FAULT.test(codeOf(error))) return `Cannot start: ${message}.\n`
  return `Cannot start: the database of DATABASE_URL cannot be used (${message}). \`${commandText('doctor')}\` says more.\n`
}
