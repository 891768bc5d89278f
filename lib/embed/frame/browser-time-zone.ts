/** Not yet among TypeScript's own types. */
interface WithTemporal {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } }
}

/**
 * The browser's time zone, such as `Europe/Berlin`. `Intl` loads the formats of a language for it, which takes 80 ms on
 * a slow phone; browsers without `Temporal` need it.
 */
export const browserTimeZone = (): string =>
  (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
