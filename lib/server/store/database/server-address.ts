/** Where PostgreSQL is, as `DATABASE_URL` says: one host, or several of which one accepts writes. */

/** Scheme and user, the hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^]*)$/

/** What `target_session_attrs` may ask for: a cashier that cannot write is of no use. */
const WRITABLE = ['read-write', 'primary']
const ATTRIBUTES = ['any', ...WRITABLE]

export interface ServerAddress {
  /** A URL for each host, in the order of `DATABASE_URL`. */
  readonly urls: readonly string[]
  /** Whether only a server that accepts writes is used: asked for, or there are several. */
  readonly writable: boolean
}

/** Undefined if the text is no address of PostgreSQL, or asks for a server that cannot write. */
export function serverAddress(text: string): ServerAddress | undefined {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(text) ?? []
  const urls = hosts.split(',').map((host) => `${start}${host}${rest}`)
  if (start === '' || !urls.every((url) => URL.canParse(url))) return undefined
  const wanted = new URL(urls[0] ?? '').searchParams.get('target_session_attrs') ?? 'any'
  if (!ATTRIBUTES.includes(wanted)) return undefined
  return { urls, writable: urls.length > 1 || WRITABLE.includes(wanted) }
}

/** The URL with further settings for the startup packet, which win over the same settings in the URL. */
export function withStartup(text: string, settings: Readonly<Record<string, string>>, options: string): string {
  const url = new URL(text)
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${options}`.trim())
  return url.href
}

/** The hosts that the lanes of an instance share: all use the one that worked last. */
export interface Servers {
  readonly address: ServerAddress
  /** The URL for the next connection. */
  readonly current: string
  /** The server at `url` cannot be used: the next connection goes to the next one. */
  leave(url: string): void
  /** False after a pooler has refused settings in the startup packet. */
  startupSettings: boolean
}

/** @throws Error if the text is no address of PostgreSQL */
export function serversOf(text: string): Servers {
  const address = serverAddress(text)
  const [first] = address?.urls ?? []
  if (address === undefined || first === undefined) throw new Error('DATABASE_URL is no address of PostgreSQL')
  let at = 0
  return {
    address,
    get current() {
      return address.urls[at] ?? first
    },
    leave(url) {
      if (url === address.urls[at]) at = (at + 1) % address.urls.length
    },
    startupSettings: true,
  }
}
