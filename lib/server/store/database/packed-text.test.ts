import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packText, unpackText } from './packed-text.ts'

const WEBHOOK =
  '{"event":"User Payout","transaction":{"id":"0b7d1f9e-8a35-4a53-9d2e-1c8f2f6f0a77","status":"succeeded","date":"2025-11-02T08:15:30Z","currency":{"id":"3f0d3a3e-2f0c-4a59-9d5e-0c8f2f6f0a02","name":"Bitcoin","symbol":"BTC","network":"Bitcoin","token_address":null,"currency_icon":null,"network_icon":null,"currency_code":"BTC"},"amount":0.00125,"provider_transaction_id":"7781243","to_address":"bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh","from_address":"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq","tx_hash":"4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd","transaction_type":"Payout","amount_usd":131.2},"transaction_uuid":"0b7d1f9e-8a35-4a53-9d2e-1c8f2f6f0a77","user_reference":"player-1","merchant_reference":"shop","payment_method":"Payout"}'

test('every text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 5000 }), (text) => {
      expect(unpackText(packText(text))).toBe(text)
    }),
  )
})

test('a webhook takes less than half of its size', () => {
  expect(packText(WEBHOOK).length).toBeLessThan(WEBHOOK.length / 2)
})

test('what an earlier version stored stays readable', () => {
  const stored = Buffer.from(
    'AZXVW27CMBAF0BUZzcMT26yjG3BiTxBJKTEICFL3XkWqgIZH23+P7sc945m1+L14j0uE2iXUkI2PLMZGYRMSZYONV9JKITr3e9FiEA3QG/glypIfV84KiSNnQwrNFBVMSJINXKKAriyemr8CuT6ZGZmV/18lU84NElgAIMkrK855JMtzMnWDw2mkrk1juy67YX8eaANjUbKBt567TterExz71T2uaTYW2JVS3Em7wyh9Zbkf0+YYSpbQ7s/no8p7Gn4wtJkjO7EWAZ3LVWCXFdXbuo6VzxE5ZJ8wEolvRL2kOig2yaFErNOTj/VC6FYxMi7oMeU/qrrjvu3jmIvBZ+x3q4/tixv0+QU=',
    'base64',
  )
  expect(unpackText(stored)).toBe(WEBHOOK)
})

test('bytes of another program are refused', () => {
  expect(() => unpackText(Buffer.from('{}'))).toThrow('a stored text of an unknown kind')
})
