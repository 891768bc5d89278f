/** An instance that does not renew its lease counts as alive for this long. */
export const ALIVE_MS = 15_000
