/** Spec, Authentication failures: each condition with its status and message. `wrong_signature` is not in the table. */
export const AUTH_ERRORS = {
  missing_signature: { status: 401, message: 'missing signature' },
  missing_api_key: { status: 401, message: 'missing api key' },
  invalid_api_key: { status: 401, message: 'invalid api key' },
  missing_nonce: { status: 401, message: 'missing nonce' },
  multiple_nonces: { status: 401, message: 'multiple nonces' },
  nonce_too_short: { status: 400, message: 'nonce too short' },
  invalid_nonce: { status: 400, message: 'invalid nonce' },
  timestamp_expired: { status: 401, message: 'timestamp expired' },
  wrong_signature: { status: 401, message: 'invalid request signature' },
  nonce_used: { status: 401, message: 'invalid request signature' },
} as const

export type AuthErrorName = keyof typeof AUTH_ERRORS
