import { fault, note, ok, reasonOf, type Finding } from './finding.ts'

/** A webhook that is further ahead is not applied. */
const MOST_AHEAD_S = 60
/** `Date` has whole seconds, and the network takes time. */
const TOLERANCE_S = 3

export interface CheckClockOptions {
  /** The gateway's URL, whose `Date` header is compared. */
  readonly url: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly fetch: typeof globalThis.fetch
}

/** Compares our clock with the gateway's, by the `Date` header of any answer. */
export async function checkClock({ url, clock, fetch }: CheckClockOptions): Promise<readonly Finding[]> {
  const asked = clock()
  let date: string | null
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
    date = response.headers.get('date')
    await response.body?.cancel()
  } catch (error) {
    return [note('clock', `could not be compared: the gateway does not answer (${reasonOf(error)})`)]
  }
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return [note('clock', 'could not be compared: the gateway sends no Date header')]
  const aheadS = Math.round(((asked + clock()) / 2 - theirs) / 1000)
  if (Math.abs(aheadS) <= TOLERANCE_S) return [ok('clock', "agrees with the gateway's")]
  const message = `is ${Math.abs(aheadS)} s ${aheadS > 0 ? 'ahead of' : 'behind'} the gateway's`
  if (Math.abs(aheadS) < MOST_AHEAD_S / 2) return [note('clock', message)]
  return [
    fault(
      'clock',
      `${message}: webhooks would seem too old or too new`,
      'synchronize the clock of this machine with NTP',
    ),
  ]
}
