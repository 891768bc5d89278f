/** The features that a provider's page may use for identity checks and payments. */
const FEATURES = [
  'camera',
  'microphone',
  'payment',
  'clipboard-write',
  'accelerometer',
  'gyroscope',
  'autoplay',
  'encrypted-media',
] as const

/**
 * The `allow` attribute of the provider's frame. It names the origins, because a link may redirect from one to another.
 * An `allow` attribute cannot contain patterns. If `ONRAMP_ORIGINS` has one, each page in the frame is allowed, and the
 * policy's `frame-src` decides which pages may be in the frame.
 */
export function providerPermissions(origins: readonly string[]): string {
  const exact = origins.every((origin) => /^https?:\/\/[^*]+$/.test(origin))
  const allowed = exact ? origins.join(' ') : '*'
  return FEATURES.map((feature) => `${feature} ${allowed}`).join('; ')
}
