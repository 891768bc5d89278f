import { expect, test } from 'vitest'
import { LINK } from '#lib/contract/embed-limits.ts'
import { readDestination } from './read-destination.ts'
import { paymentUriOf } from './write-payment-uri.ts'

const ETHEREUM = '0x52908400098527886E0F7030069857D2E4169EE7'
const CASH = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'
const plain = (address: string) => ({ address, tag: null })

test.each([
  [
    'BTC',
    'Bitcoin',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ],
  ['xbt', 'Bitcoin (SegWit)', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT'],
  ['LTC', 'Litecoin', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', 'litecoin:LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'],
  ['DOGE', 'Dogecoin', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 'dogecoin:DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  ['BCH', 'Bitcoin Cash', CASH, `bitcoincash:${CASH}`],
  ['BCH', 'Bitcoin Cash', `bitcoincash:${CASH}`, `bitcoincash:${CASH}`],
  ['TRX', 'TRC20', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'tron:TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
  [
    'SOL',
    'Solana',
    'So11111111111111111111111111111111111111112',
    'solana:So11111111111111111111111111111111111111112',
  ],
  ['ETH', 'Ethereum', ETHEREUM, `ethereum:${ETHEREUM}@1`],
  ['ETH', 'Base', ETHEREUM, `ethereum:${ETHEREUM}@8453`],
  ['MATIC', 'Polygon', ETHEREUM, `ethereum:${ETHEREUM}@137`],
  ['BNB', 'BEP20', ETHEREUM, `ethereum:${ETHEREUM}@56`],
])('%s on %s', (currency_code, network, address, uri) => {
  const currency = { currency_code, network }
  expect(paymentUriOf(currency, plain(address))).toBe(uri)
  // A frame hands it to an app that takes links.
  expect(uri).toMatch(LINK)
  // The page's own reader finds the address in it, for this currency.
  const read = readDestination(uri, currency)
  expect(read.address.replace('bitcoincash:', '')).toBe(address.replace('bitcoincash:', ''))
  expect(read.notes.map(({ kind }) => kind)).not.toContain('other_link')
})

test.each([
  ['USDT', 'Tron', plain('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')],
  ['USDT', 'Ethereum', plain(ETHEREUM)],
  ['ETH', 'Polygon', plain(ETHEREUM)],
  ['POL', 'Ethereum', plain(ETHEREUM)],
  ['BTC', 'Lightning', plain('lnbc1')],
  ['XRP', 'XRP Ledger', { address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', tag: '7' }],
  ['XRP', 'XRP Ledger', plain('rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh')],
  ['SOL', 'Solana', { address: 'So11111111111111111111111111111111111111112', tag: '7' }],
  ['BTC', 'Bitcoin', plain('a?amount=1')],
])('none for %s on %s', (currency_code, network, address) => {
  expect(paymentUriOf({ currency_code, network }, address)).toBeNull()
})
