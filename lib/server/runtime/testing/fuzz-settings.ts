/** How many odd requests the test sends, and from which seed; the environment may say otherwise. */
export const fuzzSettings = (): { readonly requests: number; readonly seed: number } => ({
  requests: Number(process.env['FUZZ_REQUESTS'] ?? 1500),
  seed: Number(process.env['FUZZ_SEED'] ?? 7),
})
