import type { ServerResponse } from 'node:http'
import type { Context } from '../context.ts'
import { currencyIcon, networkIcon } from '../currencies/icons.ts'
import type { Incoming } from '../http/incoming.ts'
import { respond } from '../http/respond.ts'

const SVG = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=86400',
  'access-control-allow-origin': '*',
}

function icon(path: string): string | null {
  const network = /^\/icons\/network\/([^/]+)\.svg$/.exec(path)?.[1]
  if (network !== undefined) return networkIcon(decodeURIComponent(network))
  const code = /^\/icons\/([^/]+)\.svg$/.exec(path)?.[1]
  return code === undefined ? null : currencyIcon(decodeURIComponent(code))
}

/** Everything that a person or a browser asks for: pages, their assets, icons. */
export async function pageRequest(incoming: Incoming, response: ServerResponse, _: Context): Promise<void> {
  const drawn = icon(incoming.path)
  if (drawn) respond(response, 200, SVG, drawn)
  else respond(response, 404, { 'content-type': 'text/plain' }, 'not found')
}
