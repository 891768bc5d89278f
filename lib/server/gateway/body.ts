/**
 * Our request bodies. The gateway strips whitespace before it checks a signature, and readings of
 * "whitespace" differ beyond ASCII. So nothing that anyone could strip goes out raw: spaces inside
 * strings and everything outside ASCII are written as `\uXXXX`.
 */
const ESCAPED = /[\u0020\u007f-\uffff]/g

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A JSON body of visible ASCII only, equal to `value` when parsed. Members that are `undefined` are left out. */
export const encodeBody = (value: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(value).replace(ESCAPED, escapeUnit)
