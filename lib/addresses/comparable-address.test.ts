import { expect, test } from 'vitest'
import { comparableAddress } from './comparable-address.ts'

test.each([
  ['Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', true],
  ['matic', '0xDE709F2102306220921060314715629080E2FB77', '0xde709f2102306220921060314715629080e2fb77', true],
  ['Bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', true],
  ['Litecoin', 'LTC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KGMN4N9', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', true],
  ['BCH', 'BITCOINCASH:QPM2QSZ', 'bitcoincash:qpm2qsz', true],
  ['BCH', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', true],
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1a1zp1ep5qgefi2dmptftl5slmv7divfna', false],
  ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t', false],
  ['Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'epjfwdd5aufqssqem2qn1xzybapc8g4wegkkzwytdt1v', false],
  // The same hash with tokens and without.
  ['BCH', 'zr7fzmep8g7h7ymfxy74lgc0v950j3r295z4y4gq0v', 'qr7fzmep8g7h7ymfxy74lgc0v950j3r2959lhtxxsl', true],
  ['BCH', 'RPAWQN2H74A4T50PHUZA84KDP3794PQ3CCT3K50P0Y', 'ppawqn2h74a4t50phuza84kdp3794pq3ccvm92p8sh', true],
  ['BCH', 'zr7fzmep8g7h7ymfxy74lgc0v950j3r295z4y4gq0v', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', false],
  ['Fantom', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', true],
  ['Somewhere', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', true],
  ['Somewhere', '0xAB', '0xab', false],
  ['Somewhere', '0xab', '0xab', true],
])('on %s, %s and %s are one address: %s', (network, a, b, same) => {
  expect(comparableAddress(network, a) === comparableAddress(network, b)).toBe(same)
})
