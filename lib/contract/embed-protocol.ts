/**
 * The messages between the script on the merchant's page (the host) and the pages in its iframe (the frame).
 *
 *   host: embed.js                                     frame: /embed, then /c/{session_id}
 *   ──────────────                                     ────────────────────────────────
 *   makes <iframe src=/embed name={FrameName}>   ───►  reads its name: channel, the host's origin
 *   calls fetchLaunchToken meanwhile
 *                                                ◄───  token_wanted
 *   token {token, locale?, theme?}               ───►  /embed posts it to /launch and becomes the session's page
 *     or token_failed                            ───►    /embed offers another attempt: token_wanted
 *                                                ◄───  ready, resize, resize, transaction, …
 *   update {locale?, theme?}                     ───►  each page of the frame applies it without a reload
 *   ping                                         ───►
 *                                                ◄───  pong: the page works (one that never answers may be of an
 *                                                      older version, so its silence means nothing)
 *                                                ◄───  close (the user asked to leave)
 *                                                ◄───  file, link: to a host whose frame name says that it takes them
 *                                                ◄───  session_ended: the host starts a new frame and channel
 *                                                ◄───  error: /launch refused the token, or the page broke
 *
 *   The browser refuses cookies, so the request for /c/{session_id} had none:
 *                                                ◄───  fresh_token_wanted (at load; after the last was used or is old)
 *   fresh_token {token, locale?, theme?},        ───►  offers /launch?token=… in a new tab
 *     or token_failed
 *     If this frame was ready before, its session has ended instead, and the host starts again.
 *
 * Both sides accept a message only from the other side's window and exact origin, with their channel, and only if it
 * parses. They ignore messages of an unknown type, so that either side may add message types within a version. A
 * deployed /embed/v1.js may be older or newer than the page, so version 1 does not change while it is served. The
 * frame's name survives the navigation from /embed to /c/…, so that the channel needs neither storage nor a URL.
 */
import * as z from 'zod/mini'
import { THEMES } from './cashier.ts'
import { CHANNEL, EMBED_VERSION, LANGUAGE_TAG, LINK, MAX_FILE_NAME, MAX_FRAME_HEIGHT, TOKEN } from './embed-limits.ts'
import { transactionEventSchema } from './stream.ts'

/** The codes of `onEvent({type: 'error'})`. Only the host itself reports `not_ready`. */
export const EMBED_ERROR_CODES = ['token_failed', 'token_used', 'not_ready', 'failed'] as const
export type EmbedErrorCode = (typeof EMBED_ERROR_CODES)[number]

const channel = z.string().check(z.regex(CHANNEL))
const token = z.string().check(z.regex(TOKEN))
const envelope = { cashier: z.literal(EMBED_VERSION), channel }

const locale = z.string().check(z.regex(LANGUAGE_TAG))
/** Set by the merchant's page; overrides the session. */
const appearance = { locale: z.optional(locale), theme: z.optional(z.enum(THEMES)) }

/**
 * `window.name` of the frame, as JSON. `origin` is the host's; the frame accepts it if it is one of `EMBED_ORIGINS`.
 */
export const frameNameSchema = z.object({
  ...envelope,
  origin: z.string(),
  ...appearance,
  /** What the host wants to be handed, because an app around it does it. */
  takes: z.optional(z.array(z.enum(['file', 'link']))),
})
export type FrameName = z.infer<typeof frameNameSchema>

export const hostMessageSchema = z.discriminatedUnion('type', [
  z.object({ ...envelope, type: z.literal('token'), token, ...appearance }),
  z.object({ ...envelope, type: z.literal('token_failed') }),
  z.object({ ...envelope, type: z.literal('fresh_token'), token, ...appearance }),
  z.object({ ...envelope, type: z.literal('update'), ...appearance }),
  z.object({ ...envelope, type: z.literal('ping') }),
])
export type HostMessage = z.infer<typeof hostMessageSchema>

export const frameMessageSchema = z.discriminatedUnion('type', [
  z.object({ ...envelope, type: z.literal('token_wanted') }),
  z.object({ ...envelope, type: z.literal('fresh_token_wanted') }),
  z.object({ ...envelope, type: z.literal('ready') }),
  z.object({ ...envelope, type: z.literal('pong') }),
  /** `height` of the whole content, in CSS pixels. */
  z.object({
    ...envelope,
    type: z.literal('resize'),
    height: z.int().check(z.minimum(1), z.maximum(MAX_FRAME_HEIGHT)),
  }),
  z.object({ ...envelope, type: z.literal('transaction'), transaction: transactionEventSchema }),
  z.object({ ...envelope, type: z.literal('session_ended') }),
  z.object({ ...envelope, type: z.literal('close') }),
  /** To a host that takes files: to be saved. */
  z.object({
    ...envelope,
    type: z.literal('file'),
    name: z.string().check(z.minLength(1), z.maxLength(MAX_FILE_NAME)),
    content: z.instanceof(Blob),
  }),
  /** To a host that takes links: to be opened outside the cashier. */
  z.object({ ...envelope, type: z.literal('link'), url: z.string().check(z.regex(LINK)) }),
  z.object({
    ...envelope,
    type: z.literal('error'),
    code: z.enum(EMBED_ERROR_CODES),
    message: z.string().check(z.maxLength(500)),
  }),
])
export type FrameMessage = z.infer<typeof frameMessageSchema>

/** A message without its envelope. */
export type Unsealed<M> = M extends unknown ? Omit<M, 'cashier' | 'channel'> : never
