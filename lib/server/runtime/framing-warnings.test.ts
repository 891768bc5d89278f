import { expect, test, vi } from 'vitest'
import { createFramingWarnings } from './framing-warnings.ts'

const framed = (referer?: string, dest = 'iframe') =>
  new Headers({ 'sec-fetch-dest': dest, ...(referer !== undefined && { referer }) })

test('an origin that EMBED_ORIGINS lacks is logged once; a flood of origins is not', () => {
  const warn = vi.fn()
  const warned = createFramingWarnings(['https://shop.example'], { warn })
  warned(framed('https://shop.example/wallet'))
  warned(framed())
  warned(framed('not a URL'))
  warned(framed('https://www.shop.example/', 'document'))
  expect(warn).not.toHaveBeenCalled()
  warned(framed('https://www.shop.example/wallet?a=1'))
  warned(framed('https://www.shop.example/'))
  expect(warn.mock.calls).toEqual([
    [{ origin: 'https://www.shop.example' }, expect.stringContaining('EMBED_ORIGINS lacks it')],
  ])
  for (let i = 0; i < 100; i += 1) warned(framed(`https://${i}.example/`))
  expect(warn).toHaveBeenCalledTimes(20)
})
