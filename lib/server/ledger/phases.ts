/** `open`: the gateway's list will say more, so reconciliation reads it. `waiting`: somebody has to act first. */
export type Phase = 'waiting' | 'open' | 'ended'

export const statusesIn = <S extends string>(phases: Readonly<Record<S, Phase>>, phase: Phase): readonly S[] =>
  (Object.keys(phases) as S[]).filter((status) => phases[status] === phase)
