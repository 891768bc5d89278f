/** Waits in words: `500 ms`, `5 s`, `2 min`, `1 h`, `off`; several waits have commas between them. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const

const MEANINGS: Readonly<Record<string, number>> = Object.fromEntries(UNITS)

/** A wait in the largest unit that gives a whole number. */
function oneWait(milliseconds: number): string {
  if (milliseconds === 0) return '0 s'
  const [unit, length] = UNITS.find(([, length]) => milliseconds % length === 0) ?? ['ms', 1]
  return `${String(milliseconds / length)} ${unit}`
}

export function waitText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((one) => oneWait(Number(one))).join(', ')
  return typeof value === 'number' ? oneWait(value) : 'off'
}

/** A span in several units, for display only: `1 d 2 h 5 s`. */
export function spanText(milliseconds: number): string {
  let left = Math.abs(milliseconds)
  const parts: string[] = []
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push(`${String(count)} ${unit}`)
  }
  return parts.join(' ')
}

function readOne(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(-?\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const length = unit === '' && number !== '' ? 1 : MEANINGS[unit.toLowerCase()]
  const value = length === undefined ? Number.NaN : Number(number) * length
  return Number.isInteger(value) ? value : undefined
}

/** The value of a mode. @throws Error with the allowed forms */
export function readWait(text: string, isList: boolean): number | null | readonly number[] {
  const given = text.trim().toLowerCase()
  if (!isList && given === 'off') return null
  const parts = isList && (given === '' || given === 'none') ? [] : given.split(isList ? ',' : /$^/)
  const values = parts.map(readOne).filter((one) => one !== undefined)
  const [first] = values
  if (values.length < parts.length || (!isList && first === undefined)) {
    throw new Error(isList ? 'Write waits as 1 s, 5 min, or none' : 'Write a wait as 500 ms, 5 s, 2 min, 1 h, or off')
  }
  return isList ? values : (first ?? null)
}
