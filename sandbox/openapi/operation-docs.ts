import { z } from 'zod'
import {
  authFailure,
  currency,
  depositAddress,
  errorResponse,
  onrampUrl,
  paymentSession,
  transactionList,
  validationError,
  walletLink,
  withdrawal,
} from '../conformance/shapes.ts'
import { findCurrency } from '../currencies/find-currency.ts'
import type { OperationName } from '../operations/operation-names.ts'

const USDT = findCurrency({ code: 'USDT', network: 'Tron' })?.id ?? ''
const REQUEST_ID = '7a1f0c86-9f0b-4c9e-8f0e-0a5d2a9f3b11'

/** An answer by its component. */
export interface DocumentedAnswer {
  readonly status: number
  readonly component: string
  readonly about: string
  readonly example: unknown
}

interface OperationDoc {
  readonly summary: string
  readonly request?: unknown
  readonly answers: readonly DocumentedAnswer[]
}

/** The answers of operations, as the conformance suite reads them, by component. */
export const OPERATION_ANSWERS = {
  CurrencyList: z.union([z.array(currency), z.looseObject({ currencies: z.array(currency) })]),
  DepositAddress: depositAddress,
  WalletLink: walletLink,
  Withdrawal: withdrawal,
  TransactionList: transactionList,
  PaymentSession: paymentSession,
  OnrampUrl: onrampUrl,
  AuthenticationFailure: authFailure,
  ErrorResponse: errorResponse,
  ValidationError: validationError,
} as const

const ok = (component: keyof typeof OPERATION_ANSWERS, example: unknown): DocumentedAnswer => ({
  status: 200,
  component,
  about: 'As asked.',
  example,
})

const invalid = (field: string, message: string): DocumentedAnswer => ({
  status: 422,
  component: 'ValidationError',
  about: 'A field is missing or invalid.',
  example: { error: 'validation failed', errors: { [field]: [message] } },
})

const error = (status: number, about: string, message: string): DocumentedAnswer => ({
  status,
  component: 'ErrorResponse',
  about,
  example: { error: true, message, request_id: REQUEST_ID },
})

/** Answers that every operation has. */
export const COMMON_ANSWERS: readonly DocumentedAnswer[] = [
  {
    status: 400,
    component: 'AuthenticationFailure',
    about: 'The nonce is too short or invalid, or the body is not a JSON object.',
    example: { message: 'nonce too short' },
  },
  {
    status: 401,
    component: 'AuthenticationFailure',
    about: 'The key, nonce or signature is missing or wrong.',
    example: { message: 'invalid request signature' },
  },
  error(415, 'The body is not sent as JSON.', 'the content type must be application/json'),
]

const record = {
  transaction_uuid: '4b0f6a2e-6a6c-4d6f-9f5d-2a3c1d0e9b77',
  type: 'Deposit',
  status: 'TXN_PROVIDER_SUCCEEDED',
  merchant_status: 'CALLBACK_SUCCEEDED',
  amount: '25.500000000000000001',
  amount_usd: '25.5',
  currency: {
    code: 'USDT',
    currency_icon: 'http://localhost:4010/icons/USDT.svg',
    id: USDT,
    name: 'Tether',
    network: 'Tron',
    network_icon: 'http://localhost:4010/icons/network/Tron.svg',
    symbol: '₮',
    token_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  },
  correlation_key: 'demo-merchant:4b0f6a2e-6a6c-4d6f-9f5d-2a3c1d0e9b77',
  from_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  to_address: 'TGFw8hUXtARFaTqzFX9CcuP6WLNaK7NqzE',
  tx_hash: '6a1f2f8d0c7e4b5a9d3c2b1a0f9e8d7c6b5a49382716051423324150617283f0',
  provider_transaction_id: 'prv_4b0f6a2e-6a6c',
  provider_wallet_reference: 'demo-merchant/ada',
  trn_provider_ref: 'sandbox-custody',
  failure_reason: null,
  transaction_data: {},
  user_ref_id: 'ada',
  inserted_at: '2026-11-27T12:00:00.000Z',
  updated_at: '2026-11-27T12:00:30.000Z',
  completed_at: '2026-11-27T12:00:30.000Z',
}

const listed = {
  edges: [{ cursor: 'MTc2NDI0NDgwMDAwMC4x', inserted_at: record.inserted_at, node: record }],
  page_info: {
    start_cursor: 'MTc2NDI0NDgwMDAwMC4x',
    end_cursor: 'MTc2NDI0NDgwMDAwMC4x',
    has_next_page: false,
    has_previous_page: false,
  },
  total_count: 1,
}

const address = { address: record.to_address, currency: 'USDT', network: 'Tron' }
const link = 'http://localhost:4010/widget/9Gm2vUq0xT5rKc1b'

/** What the document says of each operation beyond its request schema. */
export const OPERATION_DOCS: Readonly<Record<OperationName, OperationDoc>> = {
  currencies: {
    summary: 'The currencies that are enabled for the merchant.',
    answers: [ok('CurrencyList', [{ id: USDT, name: 'Tether', currency_code: 'USDT', symbol: '₮', network: 'Tron' }])],
  },
  merchant_transactions: {
    summary:
      'Transactions of all users. The specification does not show its shapes; the sandbox takes those of a user.',
    request: { first: 20 },
    answers: [ok('TransactionList', listed), invalid('first', 'must be at least 1')],
  },
  deposit_address: {
    summary: "A user's deposit address, always the same for user and currency.",
    request: { currency_id: USDT, user_reference: 'ada' },
    answers: [ok('DepositAddress', address), invalid('currency_id', 'is not enabled for the merchant')],
  },
  link_external_wallet: {
    summary:
      'A deposit link. The specification does not show its shapes; the sandbox adds `link` to a deposit address.',
    request: { currency_id: USDT, user_reference: 'ada' },
    answers: [
      ok('WalletLink', { link: `http://localhost:4010/wallet/${address.address}`, ...address }),
      invalid('user_reference', 'is required'),
    ],
  },
  withdraw: {
    summary: 'A withdrawal of a user.',
    request: {
      currency_id: USDT,
      amount: '5',
      wallet_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      user_reference_id: 'ada',
    },
    answers: [
      ok('Withdrawal', {
        amount: '5',
        currency: 'USDT',
        requires_approval: false,
        status: 'Processing',
        wallet_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      }),
      invalid('wallet_address', 'is not a valid Tron address'),
    ],
  },
  user_transactions: {
    summary: "A user's transactions, newest first.",
    request: { user_reference_id: 'ada', first: 20, transaction_types: ['Deposit'] },
    answers: [ok('TransactionList', listed), invalid('user_reference_id', 'is required')],
  },
  payments: {
    summary: 'An on-ramp session with the link of its payment page.',
    request: {
      payment_type: 'ON_RAMP',
      country: 'DE',
      currency_id: USDT,
      amount: '80',
      fiat_currency: 'EUR',
      redirect_url: 'https://merchant.example/return',
      user_reference_id: 'ada',
      session_reference: 'order-1',
    },
    answers: [
      ok('PaymentSession', { link, correlation_key: 'demo-merchant:order-1', expires_at: null }),
      error(403, 'The merchant may not use custom wallets.', 'custom_wallet_not_allowed_for_merchant'),
      invalid('country', 'is not an ISO 3166-1 alpha-2 country'),
      error(501, 'OFF_RAMP is not available.', 'payment type not available'),
    ],
  },
  onramp_url: {
    summary: 'The previous on-ramp endpoint.',
    request: {
      provider: 'provider',
      currency_id: USDT,
      user_reference_id: 'ada',
      country: 'DE',
      operation: 'deposit',
      site: 'merchant.example',
      theme: 'dark',
    },
    answers: [ok('OnrampUrl', { success: true, data: { link } }), invalid('operation', 'must be deposit')],
  },
}

const { id, name, symbol, network, token_address, currency_icon, network_icon } = record.currency

/** Examples of the webhooks that the gateway sends. */
export const WEBHOOK_EXAMPLES = {
  transfer: {
    event: 'User Deposit',
    transaction: {
      id: record.transaction_uuid,
      status: 'succeeded',
      date: record.updated_at,
      currency: { id, name, symbol, network, token_address, currency_icon, network_icon, currency_code: 'USDT' },
      amount: 25.5,
      provider_transaction_id: record.provider_transaction_id,
      to_address: record.to_address,
      from_address: record.from_address,
      tx_hash: record.tx_hash,
      transaction_type: 'Deposit',
      amount_usd: 25.5,
    },
    transaction_uuid: record.transaction_uuid,
    user_reference: 'ada',
    merchant_reference: 'demo-merchant',
    payment_method: 'Deposit',
  },
  onramp: {
    event: 'User Onramp',
    transaction: {
      id: record.transaction_uuid,
      status: 'processing',
      transaction_type: 'onramp',
      date: record.updated_at,
      provider_transaction_id: 'onr_4b0f6a2e-6a6c',
      tx_hash: null,
      to_amount: null,
      to_currency: { code: 'USDT', name: 'Tether', network: 'Tron' },
      from_amount: 80,
      from_currency: 'EUR',
    },
    transaction_uuid: record.transaction_uuid,
    user_reference: 'ada',
    payment_method: 'CREDIT_DEBIT_CARD',
    correlation_key: 'demo-merchant:order-1',
    session_reference: 'order-1',
  },
} as const
