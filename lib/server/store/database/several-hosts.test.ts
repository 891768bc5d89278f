/** An address with several hosts: the one that accepts writes is used, also after it has moved. */
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openStore } from '../store.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { useStores } from '../testing/use-stores.ts'

const stores = useStores('postgres')

const hostOf = (url: string): string => new URL(url).host
function withHosts(url: string, hosts: readonly string[], query = ''): string {
  return url.replace(hostOf(url), hosts.join(',')) + query
}

async function ask(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: stores.url, options: '-c default_transaction_read_only=off' })
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('hosts that refuse are skipped, and the next one is found when the first is lost', async () => {
  const [one, two] = [await startTcpProxy(stores.url), await startTcpProxy(stores.url)]
  const url = withHosts(
    stores.url,
    ['127.0.0.1:9', hostOf(one.url), hostOf(two.url)],
    '?target_session_attrs=read-write',
  )
  const store = await openStore({ url, clock: Date.now, deliver: false })
  try {
    await store.users.ensure('ann', 10)
    expect([one.accepted > 0, two.accepted]).toEqual([true, 0])
    await one.stop()
    await vi.waitFor(() => store.users.ensure('ben', 10))
    expect(two.accepted).toBeGreaterThan(0)
  } finally {
    await store.close()
    await two.stop()
  }
})

test('a server that only reads is left for one that writes', async () => {
  const database = new URL(stores.url).pathname.slice(1)
  await ask(`alter database ${database} set default_transaction_read_only = on`)
  // Both hosts are the same server: neither writes until it is allowed again.
  const url = withHosts(stores.url, [hostOf(stores.url), hostOf(stores.url)])
  const failed = openStore({ url, clock: Date.now, deliver: false })
  await expect(failed).rejects.toThrow('the server only reads')
  await ask(`alter database ${database} reset default_transaction_read_only`)
  const store = await openStore({ url, clock: Date.now, deliver: false })
  expect(await store.users.exists('ann')).toBe(false)
  await store.close()
})

test('behind one address a standby is refused only where one that writes is asked for', async () => {
  await ask(`alter database ${new URL(stores.url).pathname.slice(1)} set default_transaction_read_only = on`)
  const asked = openStore({ url: `${stores.url}?target_session_attrs=read-write`, clock: Date.now, deliver: false })
  await expect(asked).rejects.toMatchObject({ name: 'ReadOnlyServerError', code: '25006' })
})
