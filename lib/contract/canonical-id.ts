export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * An id in the one spelling under which it is stored and compared: a UUID in lower case, alone or as a part between
 * colons as in a correlation key, since case does not count in a UUID (RFC 9562). Any other text stays as it is: in
 * ids of other forms case may count.
 */
export const canonicalId = (id: string): string =>
  id
    .split(':')
    .map((part) => (UUID.test(part) ? part.toLowerCase() : part))
    .join(':')
