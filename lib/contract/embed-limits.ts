/** Of the embed protocol, for those who read its messages without the schemas. */
export const EMBED_VERSION = 1

/** The tallest frame that a host grants, in CSS pixels. */
export const MAX_FRAME_HEIGHT = 50_000
