/**
 * What the script on the merchant's page (the host) and the pages in its iframe (the frame) say to one another.
 *
 *   host: embed.js                                     frame: /embed, then /c/{session_id}
 *   ──────────────                                     ────────────────────────────────
 *   makes <iframe src=/embed name={FrameName}>   ───►  reads its name: channel, the host's origin
 *   asks fetchLaunchToken meanwhile
 *                                                ◄───  token_wanted
 *   token {token, locale?, theme?}               ───►  /embed posts it to /launch and becomes the session's page
 *     or token_failed                            ───►    /embed offers to try again: token_wanted
 *                                                ◄───  ready, resize, resize, transaction, …
 *   update {locale?, theme?}                     ───►  any page of the frame follows without a reload
 *   ping                                         ───►
 *                                                ◄───  pong: the page lives (one that never answered a ping may be of an older
 *                                                      version: its silence means nothing)
 *                                                ◄───  close (the user asked to leave)
 *                                                ◄───  session_ended: the host begins anew with a new frame and channel
 *                                                ◄───  error: /launch refused the token, or the page broke
 *
 *   Cookies refused, so that /c/{session_id} came without one:
 *                                                ◄───  fresh_token_wanted (at load, and again when the last one was used or is old)
 *   fresh_token {token, locale?, theme?},        ───►  offers /launch?token=… in a tab of its own
 *     or token_failed
 *     or, where this frame was ready before: a session that is over, and the host begins anew
 *
 * Both sides take a message only from the other's window and exact origin, with their channel, and only if it parses.
 * A message of an unknown type is ignored, so that either side may add message types within a version. A deployed
 * /embed/v1.js may be older or newer than the page: what version 1 says here stays true for as long as it is served.
 * The name outlives the way from /embed to /c/…, so that the channel needs neither storage nor an address.
 */
import * as z from 'zod/mini'
import { THEMES } from './cashier.ts'
import { CHANNEL, EMBED_VERSION, LANGUAGE_TAG, MAX_FRAME_HEIGHT, TOKEN } from './embed-limits.ts'
import { transactionEventSchema } from './stream.ts'

/** The codes of `onEvent({type: 'error'})`; `not_ready` is the host's own finding. */
export const EMBED_ERROR_CODES = ['token_failed', 'token_used', 'not_ready', 'failed'] as const
export type EmbedErrorCode = (typeof EMBED_ERROR_CODES)[number]

const channel = z.string().check(z.regex(CHANNEL))
const token = z.string().check(z.regex(TOKEN))
const envelope = { cashier: z.literal(EMBED_VERSION), channel }

const locale = z.string().check(z.regex(LANGUAGE_TAG))
/** What the merchant's page sets; it wins over the session. */
const appearance = { locale: z.optional(locale), theme: z.optional(z.enum(THEMES)) }

/** `window.name` of the frame, as JSON. `origin` is the host's; the frame believes it if it is one of `EMBED_ORIGINS`. */
export const frameNameSchema = z.object({ ...envelope, origin: z.string(), ...appearance })
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
  /** Of the whole content, in CSS pixels. */
  z.object({
    ...envelope,
    type: z.literal('resize'),
    height: z.int().check(z.minimum(1), z.maximum(MAX_FRAME_HEIGHT)),
  }),
  z.object({ ...envelope, type: z.literal('transaction'), transaction: transactionEventSchema }),
  z.object({ ...envelope, type: z.literal('session_ended') }),
  z.object({ ...envelope, type: z.literal('close') }),
  z.object({
    ...envelope,
    type: z.literal('error'),
    code: z.enum(EMBED_ERROR_CODES),
    message: z.string().check(z.maxLength(500)),
  }),
])
export type FrameMessage = z.infer<typeof frameMessageSchema>

/** A message before its envelope is put on. */
export type Unsealed<M> = M extends unknown ? Omit<M, 'cashier' | 'channel'> : never
