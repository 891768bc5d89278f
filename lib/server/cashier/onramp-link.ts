const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** One entry of `ONRAMP_ORIGINS`: an origin, `https://*.host` at any depth, or `https:` for any. */
function matches(url: URL, pattern: string): boolean {
  if (pattern === 'https:') return url.protocol === 'https:'
  const wildcard = /^https:\/\/\*\.(.+)$/.exec(pattern)
  if (wildcard === null) return url.origin === pattern
  const [, suffix = ''] = wildcard
  return url.protocol === 'https:' && url.host.endsWith(`.${suffix}`)
}

/** True if an on-ramp link may be opened: https (http on this machine only) and on the list. */
export function isAllowedLink(link: string, origins: readonly string[]): boolean {
  const url = URL.canParse(link) ? new URL(link) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname))
  return secure && origins.some((origin) => matches(url, origin))
}
