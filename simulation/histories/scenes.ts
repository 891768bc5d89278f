/** The scenes: what happens at the gateway, and which messages tell of it. */
import { D1, deposit, DEPOSITS } from './scenes/deposit-scenes.ts'
import { PURCHASES } from './scenes/purchase-scenes.ts'
import { calm, scene } from './scenes/scene-parts.ts'
import { brief, cut, ok, one, PAIRS, withdrawal, WITHDRAWALS } from './scenes/withdrawal-scenes.ts'
import type { HistoryScene } from './story.ts'

const MIXED: readonly HistoryScene[] = [
  calm(
    'deposit and withdrawal',
    deposit({ uuid: D1, listed: ['succeeded'], webhooks: ['succeeded'] }),
    withdrawal(one, cut, brief),
  ),
  {
    ...scene(
      'a withdrawal of what a deposit brings',
      deposit({ uuid: D1, listed: ['succeeded'], webhooks: ['succeeded'] }),
      withdrawal(one, ok, brief),
    ),
    funds: '30',
  },
]

export const SCENES: readonly HistoryScene[] = [...WITHDRAWALS, ...PAIRS, ...DEPOSITS, ...PURCHASES, ...MIXED]
