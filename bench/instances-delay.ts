/** How late the feed's reader and the streams see an event, after the commit that PostgreSQL itself recorded. */
import { request, type ClientRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { MerchantApi } from '../e2e/fixtures/merchant-api.ts'
import type { LoadCall } from './load.ts'

const POLL_MS = 2
/** The last events arrive long before it. */
const SETTLE_MS = 1500

/** When each reader saw each transaction: pairs of uuid and milliseconds since 1970. */
type Seen = (readonly [uuid: string, atMs: number])[]

export interface Delays {
  readonly p50: number
  readonly p99: number
  readonly count: number
}

const now = (): number => performance.timeOrigin + performance.now()

interface FeedPage {
  readonly events: readonly { readonly data: { readonly transaction_uuid: string | null } }[]
  readonly next_cursor: string
}

async function readFeed(api: MerchantApi, after: string): Promise<FeedPage> {
  return (await (await api.call('GET', `/events?limit=1000&after=${after}`)).json()) as FeedPage
}

/** Reads the feed from its end on, until `stop` is called. */
async function followFeed(api: MerchantApi): Promise<{ readonly seen: Seen; readonly stop: () => Promise<void> }> {
  let page = await readFeed(api, '0')
  while (page.events.length > 0) page = await readFeed(api, page.next_cursor)
  const seen: Seen = []
  let stopped = false
  const follow = async (): Promise<void> => {
    while (!stopped) {
      page = await readFeed(api, page.next_cursor)
      const at = now()
      for (const { data } of page.events) seen.push([data.transaction_uuid ?? '', at])
      await sleep(POLL_MS)
    }
  }
  const following = follow()
  return {
    seen,
    stop: async () => {
      stopped = true
      await following
    },
  }
}

/** Opens a stream and notes the transactions that it tells. */
const openStream = (url: string, { path, headers }: LoadCall, seen: Seen): Promise<ClientRequest> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream got status ${response.statusCode}`))
      response.setEncoding('utf8').on('data', (text: string) => {
        const at = now()
        for (const [, uuid = ''] of text.matchAll(/"transaction_uuid":"([^"]+)"/g)) seen.push([uuid, at])
      })
      response.on('error', () => undefined)
      resolve(sent)
    })
    sent.on('error', reject)
    sent.end()
  })

async function delaysOf(client: pg.Client, seen: Seen): Promise<Delays> {
  const { rows } = await client.query<{ uuid: string; ms: number }>(
    `select transaction_uuid as uuid, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as ms
     from transactions where transaction_uuid = any($1)`,
    [[...new Set(seen.map(([uuid]) => uuid))]],
  )
  const committed = new Map(rows.map(({ uuid, ms }) => [uuid, ms]))
  const delays = seen.map(([uuid, at]) => at - (committed.get(uuid) ?? NaN)).sort((a, b) => a - b)
  const quantile = (part: number): number => delays[Math.floor(delays.length * part)] ?? NaN
  return { p50: quantile(0.5), p99: quantile(0.99), count: delays.length }
}

export interface DelaySetup {
  /** A connection to the database, which has `track_commit_timestamp = on`. */
  readonly client: pg.Client
  readonly api: MerchantApi
  readonly urls: readonly string[]
  /** One stream for each user, opened on each instance. */
  readonly streams: readonly LoadCall[]
}

/** @param send sends webhooks of the users whose streams are open */
export async function measureDelays(
  { client, api, urls, streams }: DelaySetup,
  send: () => Promise<unknown>,
): Promise<{ readonly feed: Delays; readonly stream: Delays }> {
  const told: Seen = []
  const open = await Promise.all(urls.flatMap((url) => streams.map((stream) => openStream(url, stream, told))))
  const feed = await followFeed(api)
  await send()
  await sleep(SETTLE_MS)
  await feed.stop()
  for (const stream of open) stream.destroy()
  return { feed: await delaysOf(client, feed.seen), stream: await delaysOf(client, told) }
}
