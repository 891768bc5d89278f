/** Cleans a request's headers before anything reads them. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Headers that only `server.ts` sets; it drops incoming headers with these names. */
export const INTERNAL = {
  requestId: 'x-request-id',
  client: 'x-cashier-client',
  /** `1` for a call from this machine that passed no proxy. */
  local: 'x-cashier-local',
  /** The number of entries in `X-Forwarded-For`. */
  forwarded: 'x-cashier-forwarded',
} as const

/**
 * Headers that Next's own client sends while it moves between pages; outside clients may send no other header of
 * Next's.
 */
const NEXT_CLIENT = new Set([
  'next-router-state-tree',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-instant-navigation-testing',
  'next-hmr-refresh',
  'next-url',
])
const DROPPED =
  /^(?:x-middleware-|x-next|x-invoke-|x-matched-path$|x-now-|x-vercel-|x-prerender-|x-forwarded-|x-cashier-(?:client|local|forwarded)$|x-request-id$|x-rewrite|x-original-|x-http-method|x-method-override|forwarded$|content-security-policy|next-)/

/** Removes headers with which an outside client could pose as our own server, to Next or to us. */
export function dropInternalHeaders(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) {
    if (DROPPED.test(name) && !NEXT_CLIENT.has(name)) Reflect.deleteProperty(headers, name)
  }
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** True for a call from this machine that no proxy forwarded. Must be read before `dropInternalHeaders`. */
export const isLocalCall = ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDING.every((name) => headers[name] === undefined)

const SAFE_ID = /^[A-Za-z0-9_-]{8,64}$/

/** Our own proxy may have given the request an id; nobody else may. */
export const requestIdFor = (inbound: string | undefined, proxies: number, newId: () => string): string =>
  proxies > 0 && inbound !== undefined && SAFE_ID.test(inbound) ? inbound : newId()
