import type { ReactNode } from 'react'
import { findNetwork, type KnownNetwork } from '#lib/addresses/networks.ts'

/** Drawn in a box of 18 by 18; white if the shape names no colour. */
interface Mark {
  readonly background: string
  readonly shape: ReactNode
}

const line = (d: string, width = 1.3): ReactNode => (
  <path d={d} fill="none" stroke="#fff" strokeWidth={width} strokeLinecap="round" strokeLinejoin="round" />
)

const BITCOIN =
  'M6.8 5.6h2.9a1.7 1.7 0 0 1 0 3.4H6.8h3.3a1.8 1.8 0 0 1 0 3.6H6.8zM8 5.4V4M9.7 5.4V4M8 14v-1.2M9.7 14v-1.2'

/** Our own simple drawings, not the logos of their owners, for networks whose icon the gateway does not send. */
export const NETWORK_MARKS: Readonly<Record<KnownNetwork['id'], Mark>> = {
  bitcoin: { background: '#c46a08', shape: line(BITCOIN) },
  'bitcoin-cash': { background: '#0a8f5c', shape: <g transform="rotate(-28 9 9)">{line(BITCOIN)}</g> },
  litecoin: { background: '#345d9d', shape: line('M9.6 4.6 7.6 13h4.8M6 10.2l5-2') },
  dogecoin: { background: '#94791a', shape: line('M7 5v8h1.6a4 4 0 0 0 0-8zM5.4 9h4') },
  tron: { background: '#d5001f', shape: line('M4.7 5.2 12 6.4l1.4 1.8-4.9 5.4zl4.2 3.3 4.5-.3M8.9 8.5l-.4 5.1', 1) },
  solana: {
    background: '#2a2140',
    shape: <path d="M6.2 5.3h7l-1.4 1.8h-7zM4.8 8.1h7l1.4 1.8h-7zM6.2 10.9h7l-1.4 1.8h-7z" fill="#fff" />,
  },
  ethereum: {
    background: '#5266c4',
    shape: <path d="M9 3.4 12.5 9 9 11 5.5 9zM9 12.1 12.5 10 9 14.7 5.5 10z" fill="#fff" />,
  },
  polygon: {
    background: '#7a3fe0',
    shape: line('M7 6.1l2.4 1.4v2.9L7 11.8l-2.4-1.4V7.5zM9.4 9.2l2.2-1.3 2 1.2v2.2l-2 1.2-2.2-1.2', 1.1),
  },
  bnb: {
    background: '#8a6a00',
    shape: (
      <path
        d="M9 7.6 10.4 9 9 10.4 7.6 9zM9 3.8l2.6 2.6-1 1L9 5.8 7.4 7.4l-1-1zM9 14.2l-2.6-2.6 1-1L9 12.2l1.6-1.6 1 1zM5.2 8 6.2 9l-1 1-1-1zM12.8 8l1 1-1 1-1-1z"
        fill="#fff"
      />
    ),
  },
  arbitrum: { background: '#213f63', shape: line('M5.6 12.4 9 5.2l3.4 7.2M8.2 12.4 10 9') },
  optimism: {
    background: '#e00018',
    shape: <path d="M9 3.6 10.3 7.7 14.4 9l-4.1 1.3L9 14.4l-1.3-4.1L3.6 9l4.1-1.3z" fill="#fff" />,
  },
  base: { background: '#0052ff', shape: <path d="M4.6 8.2a4.5 4.5 0 1 1 0 1.6h5V8.2z" fill="#fff" /> },
  avalanche: {
    background: '#d63031',
    shape: <path d="M8.7 4.6 4.2 12.6h3l3-5.4zM11.4 9.4l-1.9 3.2h3.8z" fill="#fff" />,
  },
  linea: {
    background: '#3d3d3d',
    shape: (
      <>
        <path d="M5.4 6.2h1.6v5.2h4.4V13h-6z" fill="#fff" />
        <circle cx="11" cy="6.2" r="1.4" fill="#fff" />
      </>
    ),
  },
  scroll: {
    background: '#8f6330',
    shape: line('M6.2 12.8h5.6V6.4a1.4 1.4 0 0 0-2.8 0v1H12M6.2 12.8a1.3 1.3 0 0 1 0-2.6H10'),
  },
  gnosis: { background: '#2f6b4f', shape: line('M9 12.8a4 4 0 0 1-3.2-6.4L9 9.4l3.2-3A4 4 0 0 1 9 12.8z') },
  celo: {
    background: '#4f6b00',
    shape: (
      <>
        <circle cx="7.7" cy="10.3" r="3" fill="none" stroke="#fff" strokeWidth="1.2" />
        <circle cx="10.3" cy="7.7" r="3" fill="none" stroke="#fff" strokeWidth="1.2" />
      </>
    ),
  },
}

const COIN_MARKS: Readonly<Record<string, Mark>> = {
  USDT: {
    background: '#0f766e',
    shape: line('M5.6 5.4h6.8M9 5.4v7.8M4.8 8.7a4.2 1.3 0 1 0 8.4 0a4.2 1.3 0 1 0-8.4 0'),
  },
  USDC: {
    background: '#2262c6',
    shape: line(
      'M11.4 7A2.5 2.5 0 0 0 9 5.6c-1.5 0-2.4.7-2.4 1.7 0 2.4 4.8 1 4.8 3.4 0 1-.9 1.7-2.4 1.7A2.5 2.5 0 0 1 6.6 11M9 4.2v9.6',
    ),
  },
}

/** The currency's own mark, or the mark of the network whose coin it is. */
export function coinMark(code: string): Mark | undefined {
  if (Object.hasOwn(COIN_MARKS, code)) return COIN_MARKS[code]
  const network = findNetwork(code)
  return network ? NETWORK_MARKS[network.id] : undefined
}
