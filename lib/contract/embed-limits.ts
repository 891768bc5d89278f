/** Limits and patterns of the embed protocol, for code that reads its messages without the schemas. */
export const EMBED_VERSION = 1

/** The tallest frame that a host grants, in CSS pixels. */
export const MAX_FRAME_HEIGHT = 50_000

/** 16 random bytes, as hex. */
export const CHANNEL = /^[0-9a-f]{32}$/
/** A launch token: one line of visible characters. */
export const TOKEN = /^[!-~]{1,2048}$/
/** A language tag. It may name any language, because the best match is used. */
export const LANGUAGE_TAG = /^[A-Za-z0-9-]{1,35}$/
/** The header of `POST /launch` by which /embed asks for the page itself; its value is the nonce of that document. */
export const PAGE_NONCE = 'x-cashier-page-nonce'
/** The longest name of a file that a frame hands over. */
export const MAX_FILE_NAME = 200
/** An address that a frame hands over, to be opened elsewhere: of a page, or of a wallet. */
export const LINK = /^(?:https?:\/\/|(?:bitcoin(?:cash)?|dogecoin|ethereum|litecoin|solana|tron):)[!-~]{1,2040}$/
export const THEME = /^(?:light|dark|auto)$/
