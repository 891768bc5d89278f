import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDestination } from './read-destination.ts'

const on = (currency_code: string, network: string) => ({ currency_code, network })
const BTC = on('BTC', 'Bitcoin')
const ETH = on('ETH', 'Ethereum')
const USDT = on('USDT', 'Ethereum')
const USDT_TRON = on('USDT', 'Tron')
const SOL = on('SOL', 'Solana')
const USDC_SOLANA = on('USDC', 'Solana')
const XRP = on('XRP', 'XRP Ledger')

const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const EVM = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const USDT_CONTRACT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const SOLANA = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN'
const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const RIPPLE = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'
const CASH = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'

const link = { kind: 'link' } as const
const other = { kind: 'other_link' } as const
const cleaned = { kind: 'cleaned' } as const
const leftOut = (text: string) => ({ kind: 'left_out', text }) as const

test.each([
  // White space and invisible characters.
  ['as it is', BTC, BITCOIN, BITCOIN, null, []],
  ['white space around', BTC, ` \u00a0${BITCOIN}\r\n`, BITCOIN, null, []],
  ['zero width around', USDT_TRON, `\u200b${TRON}\ufeff`, TRON, null, [cleaned]],
  ['zero width within', USDT_TRON, `${TRON.slice(0, 9)}\u200b\u2060${TRON.slice(9)}`, TRON, null, [cleaned]],
  ['direction marks', USDT_TRON, `\u202a${TRON}\u202c`, TRON, null, [cleaned]],
  ['groups of four', BTC, BITCOIN.replace(/.{4}/g, '$& '), BITCOIN, null, [cleaned]],
  ['wrapped over two lines', USDT, `${EVM.slice(0, 20)}\n${EVM.slice(20)}`, EVM, null, [cleaned]],
  ['a space in an invalid address', USDT_TRON, `${TRON.slice(0, 9)} ${TRON.slice(10)}`, null, null, []],

  // More than an address.
  ['a tag in a second line', USDT_TRON, `${TRON}\n12345`, TRON, null, [leftOut('12345')]],
  ['a tag that would make another address', SOL, `${SOLANA.slice(0, 43)}\n1`, SOLANA, null, [leftOut('1')]],
  ['a tag behind it', USDT_TRON, `${TRON}?dt=12345`, TRON, null, [leftOut('12345')]],
  ['another query', USDT_TRON, `${TRON}?foo=1`, TRON, null, [leftOut('foo=1')]],
  ['words around', USDT_TRON, `Address: ${TRON} Memo: 5`, TRON, null, [leftOut('Address: Memo: 5')]],
  ['the same twice', USDT_TRON, `${TRON} ${TRON}`, TRON, null, []],
  ['two addresses', BTC, `${BITCOIN}\n1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa`, null, null, []],

  // BIP 21 and similar forms.
  ['an amount', BTC, `bitcoin:${BITCOIN}?amount=0.50&label=Shop`, BITCOIN, '0.5', [link]],
  ['capital letters', BTC, `BITCOIN:${BITCOIN.toUpperCase()}?amount=.5`, BITCOIN.toUpperCase(), '0.5', [link]],
  ['without an amount', BTC, `bitcoin:${BITCOIN}`, BITCOIN, null, [link]],
  ['an invalid amount', BTC, `bitcoin:${BITCOIN}?amount=1,5`, BITCOIN, null, [link]],
  ['two amounts', BTC, `bitcoin:${BITCOIN}?amount=1&amount=2`, BITCOIN, null, [link]],
  ['an unknown required parameter', BTC, `bitcoin:${BITCOIN}?amount=1&req-x=2`, null, null, []],
  ['a link of another network', USDT, `bitcoin:${BITCOIN}?amount=1`, BITCOIN, null, [link, other]],
  ['a prefix that is part of the address', on('BCH', 'Bitcoin Cash'), CASH, CASH, null, []],
  ['a prefix and an amount', on('BCH', 'Bitcoin Cash'), `${CASH}?amount=2`, CASH, '2', [link]],
  ['the coin of Tron', on('TRX', 'Tron'), `tron:${TRON}?amount=10`, TRON, '10', [link]],
  ['the coin, with a token chosen', USDT_TRON, `tron:${TRON}?amount=10`, TRON, null, [link, other]],

  // Solana Pay.
  ['SOL', SOL, `solana:${SOLANA}?amount=1&label=Michael`, SOLANA, '1', [link]],
  ['a token', USDC_SOLANA, `solana:${SOLANA}?amount=0.01&spl-token=${USDC_MINT}`, SOLANA, '0.01', [link]],
  ['another token', SOL, `solana:${SOLANA}?amount=0.01&spl-token=${USDC_MINT}`, SOLANA, null, [link, other]],
  ['a link to a server', SOL, 'solana:https%3A%2F%2Fexample.com', null, null, []],

  // EIP-681, ERC-3770, CAIP-10.
  ['wei', ETH, `ethereum:${EVM}@1?value=2.014e18`, EVM, '2.014', [link]],
  ['wei without a chain', ETH, `ethereum:${EVM}?value=1`, EVM, '0.000000000000000001', [link]],
  ['pay-', ETH, `ethereum:pay-${EVM}?value=1e18`, EVM, '1', [link]],
  ['the coin of another chain', on('POL', 'Polygon'), `ethereum:${EVM}@137?value=3e18`, EVM, '3', [link]],
  ['its older code', on('MATIC', 'Polygon'), `ethereum:${EVM}@137?value=3e18`, EVM, '3', [link]],
  ['another chain', ETH, `ethereum:${EVM}@137?value=3e18`, EVM, null, [link, other]],
  ['ether without a chain', on('ETH', 'Arbitrum'), `ethereum:${EVM}?value=3e18`, EVM, null, [link, other]],
  ['ether, with a token chosen', USDT, `ethereum:${EVM}@1?value=1e18`, EVM, null, [link, other]],
  ['no amount, any chain', USDT, `ethereum:${EVM}`, EVM, null, [link]],
  ['a token', USDT, `ethereum:${USDT_CONTRACT}@1/transfer?address=${EVM}&uint256=1500000`, EVM, '1.5', [link]],
  ['another token', ETH, `ethereum:${USDT_CONTRACT}@1/transfer?address=${EVM}&uint256=1e6`, EVM, null, [link, other]],
  ['an unknown token', USDT, `ethereum:${EVM}@1/transfer?address=${EVM}&uint256=1e6`, EVM, null, [link, other]],
  ['another call', USDT, `ethereum:${USDT_CONTRACT}@1/approve?address=${EVM}&uint256=1`, null, null, []],
  ['a short name', ETH, `eth:${EVM}`, EVM, null, [link]],
  ['a short name of another chain', ETH, `matic:${EVM}`, EVM, null, [link, other]],
  ['a chain id', ETH, `eip155:1:${EVM}`, EVM, null, [link]],
  ['an unknown prefix', ETH, `wallet:${EVM}`, null, null, []],

  // Networks that are not checked.
  ['white space around', XRP, ` ${RIPPLE}\n`, RIPPLE, null, []],
  ['a tag in it', XRP, `${RIPPLE}?dt=7`, `${RIPPLE}?dt=7`, null, [{ kind: 'tag', tag: '7' }]],
  ['a tag in a second line', XRP, `${RIPPLE}\n7`, `${RIPPLE}\n7`, null, [{ kind: 'tag', tag: '7' }]],
  ['two words', on('X', 'Elsewhere'), 'one two', 'one two', null, []],
  ['a link of a checked network', XRP, `bitcoin:${BITCOIN}`, BITCOIN, null, [link, other]],
  ['nothing', BTC, ' ', '', null, []],
] as const)('%s: for %o, %j is %s', (_, currency, text, address, amount, notes) => {
  const read = readDestination(text, currency)
  expect(read.notes).toEqual(notes)
  expect(read.amount).toBe(amount)
  // Null: the text stays unchanged, and the check refuses it.
  expect(read.address).toBe(address ?? text)
  if (address === null) expect(read.check.ok).toBe(false)
})

test('on a network that is not checked, two lines are never joined', () => {
  expect(readDestination(`${RIPPLE}\n7`, XRP).check).toEqual({ ok: false, fault: 'not_visible_ascii' })
})

test('reading the result again changes nothing, and a checked address is part of the text', () => {
  const piece = fc.constantFrom(
    BITCOIN,
    TRON,
    EVM,
    SOLANA,
    RIPPLE,
    CASH,
    '12345',
    'bitcoin:',
    '?amount=1',
    '?dt=1',
    '\u200b',
  )
  const between = fc.constantFrom('', ' ', '\n', '?', ':', '&')
  fc.assert(
    fc.property(
      fc.array(fc.tuple(piece, between), { maxLength: 4 }),
      fc.constantFrom(BTC, ETH, USDT_TRON, SOL, XRP),
      (parts, currency) => {
        const text = parts.flat().join('')
        const { address, check } = readDestination(text, currency)
        const again = readDestination(address, currency)
        expect(again.address).toBe(address)
        if (check.ok && check.checked === 'full') expect(text.replace(/[\s\u200b]/g, '')).toContain(address)
      },
    ),
    { numRuns: 2000 },
  )
})
