/** Messages of the most bytes that are read: each is judged within a moment, since meanwhile nobody else is served. */
import { expect, test } from 'vitest'
import { decimal, decimalFromNumberText, LONGEST_AMOUNT } from '#lib/contract/money.ts'
import { listedRecords } from './listed-records.ts'
import { parseLosslessJson, SizeFault } from './lossless-json.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { parseWebhook } from './parse-webhook.ts'
import { readReply } from './read-reply.ts'
import { LONGEST_LINK, LONGEST_TEXT, LONGEST_UNREAD, MOST_ENTRIES, MOST_VALUES } from './storable-text.ts'
import { sampleTransactionRecord, STATUSES } from './testing/sample-record.ts'

const MOST_BYTES = 2 * 1024 * 1024
/** Ten times what a message may take on an idle machine. */
const MOST_MS = 500

const fill = (piece: string): string => piece.repeat(Math.floor((MOST_BYTES - 4000) / piece.length))
const keys = (count: number): string => Array.from({ length: count }, (_, at) => `"k${at}":[1]`).join()

const page = (...edges: readonly string[]): string =>
  `{"edges":[${edges.join()}],"page_info":{"has_next_page":false,"has_previous_page":false},"total_count":${edges.length}}`
/** A record whose `field` is this JSON. */
const edgeWith = (field: string, json: string): string => {
  const node = JSON.stringify({ ...sampleTransactionRecord({ to_address: 'T1' }), [field]: 'here' }).replace(
    '"here"',
    () => json,
  )
  return `{"cursor":"c","inserted_at":"2026-01-01T00:00:00Z","node":${node}}`
}

/** The computing time of `work`, which other processes do not lengthen. */
function msOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const reply = <T>(operation: Operation<T>, text: string, status = 200): T =>
  readReply(operation, { status, headers: {}, body: Buffer.from(text) }, { now: 0, statuses: STATUSES })

/** Whatever comes of it. */
function tried(work: () => unknown): void {
  try {
    work()
  } catch {
    // Unreadable.
  }
}

const BODIES: Readonly<Record<string, string>> = {
  numbers: `[${fill('1,')}1]`,
  objects: `[${fill('{},')}{}]`,
  'empty texts': `[${fill('"",')}""]`,
  'nested lists': `[${fill('[[[[[[1]]]]]],')}1]`,
  keys: `{${keys(150_000)}}`,
  'records without fields': page(...Array<string>(2000).fill('{"node":{}}')),
  'an unknown field with many keys': page(edgeWith('odd', `{${keys(12_000)}}`)),
  'a status': page(edgeWith('status', `"${fill('_- ')}"`)),
  'a status of one letter': page(edgeWith('status', `"${fill('x')}"`)),
  'a time': page(edgeWith('inserted_at', `"${fill('T00:00')}"`)),
  'an amount as text': page(edgeWith('amount', `"${fill('9')}"`)),
  'an amount as a number': page(edgeWith('amount', fill('9'))),
  'a fraction': page(edgeWith('amount', `0.${fill('9')}`)),
  'a network': `{"address":"a","currency":"c","network":"${fill('network')}"}`,
  'a message': `{"error":true,"message":"${fill('x')}"}`,
  'faults of fields': `{"error":"no","errors":{${keys(12_000)}}}`,
  escapes: `["${fill(String.raw`\u0041`)}"]`,
  'white space': `[${fill(' ')}]`,
}

test.each(Object.keys(BODIES))('2 MiB of %s are judged within a moment, in every kind of message', (what) => {
  const text = BODIES[what] ?? ''
  const { listUserTransactions, showUserTransactions, listCurrencies, createDepositAddress, withdraw } = OPERATIONS
  const read = [
    () => listedRecords(reply(listUserTransactions, text).edges, STATUSES),
    () => listedRecords(reply(showUserTransactions, text).edges, STATUSES),
    () => reply(listCurrencies, text),
    () => reply(createDepositAddress, text),
    () => reply(withdraw, text, 422),
    () => parseWebhook(Buffer.from(text)),
  ]
  for (const work of read) expect(msOf(() => tried(work))).toBeLessThan(MOST_MS)
})

test('a message with too many values is not read to its end', () => {
  const listOf = (count: number): Buffer =>
    Buffer.from(
      `[${Array<string>(count - 1)
        .fill('1')
        .join()}]`,
    )
  expect(parseLosslessJson(listOf(MOST_VALUES))).toHaveLength(MOST_VALUES - 1)
  expect(() => parseLosslessJson(listOf(MOST_VALUES + 1))).toThrow(SizeFault)
  const event = `{"event":"User Deposit","transaction_uuid":"t","odd":${listOf(MOST_VALUES + 1).toString()}}`
  expect(parseWebhook(Buffer.from(event))).toMatchObject({ outcome: 'unreadable' })
})

test('an amount has at most so many digits', () => {
  const most = '9'.repeat(LONGEST_AMOUNT)
  expect(decimalFromNumberText(most)).toBe(most)
  expect(decimalFromNumberText(`${most}9`)).toBeNull()
  expect(decimalFromNumberText(`${most.slice(1)}e3`)).toBeNull()
  expect(decimalFromNumberText(`${most}e-1`)).toBe(`${most.slice(1)}.9`)
  expect(decimalFromNumberText(`${most}e-999`)).toHaveLength(LONGEST_AMOUNT + 1)
})

test('long texts of a record are cut, and what would become another name makes the record unreadable', () => {
  const read = (field: string, json: string) => reply(OPERATIONS.showUserTransactions, page(edgeWith(field, json)))
  const long = (length: number): string => `"${'x'.repeat(length)}"`
  expect(read('status', long(210_000)).edges[0]?.node.status).toHaveLength(LONGEST_TEXT)
  expect(read('odd', long(210_000)).edges[0]?.node).toMatchObject({ odd: 'x'.repeat(LONGEST_UNREAD) })
  for (const field of ['transaction_uuid', 'user_ref_id', 'tx_hash', 'correlation_key'])
    expect([field, read(field, long(257)).left_out]).toEqual([field, 1])
  expect(read('amount', long(10)).left_out).toBe(1)
  expect(read('amount', `"${'1'.repeat(LONGEST_AMOUNT + 1)}"`).left_out).toBe(1)
  expect(read('amount', '"1.50"').edges[0]?.node.amount).toBe(decimal('1.50'))
})

test('a link and a cursor are taken whole or not at all', () => {
  const link = (length: number): string => `{"link":"${'x'.repeat(length)}"}`
  expect(reply(OPERATIONS.linkExternalWallet, link(LONGEST_LINK)).link).toHaveLength(LONGEST_LINK)
  expect(() => reply(OPERATIONS.linkExternalWallet, link(LONGEST_LINK + 1))).toThrow('another shape')
  const ending = (length: number): string =>
    page().replace('"has_next_page"', () => `"end_cursor":"${'x'.repeat(length)}","has_next_page"`)
  const endOf = (length: number) => reply(OPERATIONS.listUserTransactions, ending(length)).page_info.end_cursor
  expect(endOf(LONGEST_TEXT)).toHaveLength(LONGEST_TEXT)
  expect(() => endOf(LONGEST_TEXT + 1)).toThrow('another shape')
})

test('a list has at most so many entries', () => {
  const currencies = (count: number) => reply(OPERATIONS.listCurrencies, `[${Array<string>(count).fill('{}').join()}]`)
  expect(currencies(MOST_ENTRIES).leftOut).toBe(MOST_ENTRIES)
  expect(() => currencies(MOST_ENTRIES + 1)).toThrow('another shape')
})
