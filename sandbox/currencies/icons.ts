import { NETWORKS } from './networks.ts'
import { deterministicBytes } from './deterministic-ids.ts'

const COLOURS: Readonly<Record<string, string>> = {
  BTC: '#f7931a',
  WBTC: '#3d3a4b',
  ETH: '#627eea',
  USDT: '#12a37f',
  USDC: '#2775ca',
  TRX: '#e0332c',
  SOL: '#7b4ee0',
  POL: '#8247e5',
}

/** Symbols that every font has. */
const LETTERS: Readonly<Record<string, string>> = { BTC: 'B', ETH: 'Ξ', USDC: '$' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${String(mark.charCodeAt(0))};`)

function disc(letter: string, colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="${colour}"/><text x="32" y="43" text-anchor="middle" font-family="system-ui,sans-serif" font-size="32" font-weight="700" fill="#fff">${escaped(letter)}</text></svg>`
}

/** An SVG icon for any currency code. */
export function currencyIcon(code: string): string {
  const hue = Math.round(((deterministicBytes('hue', code)[0] ?? 0) / 255) * 360)
  return disc(LETTERS[code] ?? code.slice(0, 1).toUpperCase(), COLOURS[code] ?? `hsl(${String(hue)} 45% 45%)`)
}

/** A network's icon, or null for a network that the sandbox does not have. */
export function networkIcon(name: string): string | null {
  const network = Object.values(NETWORKS).find((candidate) => candidate.name === name)
  return network ? disc(network.name.slice(0, 1), network.colour) : null
}
