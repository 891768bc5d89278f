import { expect, test } from 'vitest'
import { serverAddress, serversOf, withStartup } from './server-address.ts'

test('one host is one URL; several give one each, in order, and only a server that writes is used', () => {
  expect(serverAddress('postgres://u:p%40@db.example/cashier')).toEqual({
    urls: ['postgres://u:p%40@db.example/cashier'],
    writable: false,
  })
  expect(serverAddress('postgresql://u:p%40@a:5432,[::1]:5433,c/cashier?sslmode=disable')).toEqual({
    urls: ['a:5432', '[::1]:5433', 'c'].map((host) => `postgresql://u:p%40@${host}/cashier?sslmode=disable`),
    writable: true,
  })
  expect(serverAddress('postgres://a/b?target_session_attrs=read-write')).toMatchObject({ writable: true })
})

test.each(['postgres://a:x,b/c', 'postgres://a/b?target_session_attrs=standby', 'file:./x', 'mysql://a/b', ''])(
  '%s is no address of a server that we can use',
  (text) => {
    expect(serverAddress(text)).toBeUndefined()
  },
)

test('the next connection goes to the next host, whichever lane saw the failure, and once for all of them', () => {
  const servers = serversOf('postgres://a,b,c/d')
  const first = servers.current
  servers.leave(first)
  servers.leave(first)
  expect(servers.current).toBe('postgres://b/d')
  servers.leave(servers.current)
  servers.leave(servers.current)
  expect(servers.current).toBe(first)
})

test("settings for the startup packet replace the URL's own, and options are added", () => {
  const url = new URL(
    withStartup('postgres://u:p%40@a/b?lock_timeout=1&options=-c%20x%3D1', { lock_timeout: '5' }, '-c y=2'),
  )
  expect([url.password, url.searchParams.get('lock_timeout'), url.searchParams.get('options')]).toEqual([
    'p%40',
    '5',
    '-c x=1 -c y=2',
  ])
})
