/** The number of odd requests and the seed, which the environment may override. */
export const fuzzSettings = (): { readonly requests: number; readonly seed: number } => ({
  requests: Number(process.env['FUZZ_REQUESTS'] ?? 1500),
  seed: Number(process.env['FUZZ_SEED'] ?? 7),
})
