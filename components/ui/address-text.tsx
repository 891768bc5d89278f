import { Fragment, type Ref } from 'react'

const GROUP = 4
/** How many groups at each end are strong: what people compare. */
const STRONG = 2

/** `0x12 ab…` in groups of four. Groups are set apart by CSS alone, so that a selection copies the bare address. */
export function AddressText({
  address,
  ref,
  className = '',
}: {
  readonly address: string
  readonly ref?: Ref<HTMLElement>
  readonly className?: string
}) {
  const groups = address.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? [address]
  const last = groups.length - (groups.at(-1)?.length === GROUP ? STRONG : STRONG + 1)
  return (
    <bdi
      dir="ltr"
      ref={ref}
      data-testid="address"
      className={`block font-mono leading-relaxed text-ink-2 ${className}`}
    >
      {groups.map((group, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          <span className={`mx-[0.3ch] ${index < STRONG || index >= last ? 'font-bold text-ink' : ''}`}>{group}</span>
        </Fragment>
      ))}
    </bdi>
  )
}
