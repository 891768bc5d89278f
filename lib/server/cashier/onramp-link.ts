const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** One entry of `ONRAMP_ORIGINS`: an origin, `https://*.host` at any depth, or `https:` for any. */
function matches(url: URL, pattern: string): boolean {
  if (pattern === 'https:') return url.protocol === 'https:'
  const wildcard = /^https:\/\/\*\.(.+)$/.exec(pattern)
  if (wildcard === null) return url.origin === pattern
  const [, suffix = ''] = wildcard
  return url.protocol === 'https:' && url.host.endsWith(`.${suffix}`)
}

/** The URL, if it is https (or http on this machine) and has no user name; else null. */
function secureUrl(link: string): URL | null {
  const url = URL.canParse(link) ? new URL(link) : null
  if (url === null || url.username !== '' || url.password !== '') return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname)) ? url : null
}

/** True if a link may be opened in a tab of its own. */
export const isSecureLink = (link: string): boolean => secureUrl(link) !== null

/** True if an on-ramp link may be opened: a secure one that is on the list. */
export function isAllowedLink(link: string, origins: readonly string[]): boolean {
  const url = secureUrl(link)
  return url !== null && origins.some((origin) => matches(url, origin))
}
