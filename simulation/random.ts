/** Random choices from a seed. Every choice has a name, so that leaving out one choice does not change the others. */

/** 32 bits of a text (FNV-1a with a final mix). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const SPAN = 0x1_0000_0000

/** A sequence of numbers from a seed (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: string) {
    this.#state = hashOf(seed)
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** At least 0 and below 1. */
  share(): number {
    return this.next() / SPAN
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1))
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.share() < probability
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.between(0, list.length - 1)]
    if (picked === undefined) throw new RangeError('nothing to pick from')
    return picked
  }
}

/** A UUID that depends only on the name. */
export function uuidOf(name: string): string {
  const digits = [0, 1, 2, 3].map((part) => hashOf(`${part}|${name}`).toString(16).padStart(8, '0')).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}
