/**
 * Runs `work` while no other tab of this browser runs work of this name, so that other tabs cannot change what `work`
 * has checked until it ends. Without the Web Locks API, or if it is denied, `work` runs at once.
 *
 * @throws what `work` throws
 */
export async function oneTabAtATime(
  locks: Pick<LockManager, 'request'> | undefined,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  if (locks === undefined) return work()
  const state = { begun: false }
  try {
    await locks.request(name, () => {
      state.begun = true
      return work()
    })
  } catch (error) {
    if (state.begun) throw error
    await work()
  }
}
