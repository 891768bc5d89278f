/**
 * Runs `work` while no other tab of this browser runs work of this name: what is looked at in it stays true until its
 * end. Without the Web Locks API, or where it is denied, it runs at once.
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
