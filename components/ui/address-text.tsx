import { Fragment, type Ref } from 'react'

/** Groups of four; the last may be shorter. */
const GROUPS = /.{1,4}/g
const GROUP = 4
/** This many groups at each end are bold, because people compare the ends. */
const BOLD = 2

/** An address in groups of four. The gaps are CSS only, so that a selection copies the plain address. */
export function AddressText({
  address,
  ref,
  className = 'rtl:text-right',
  testId = 'address',
}: {
  readonly address: string
  readonly ref?: Ref<HTMLElement>
  readonly className?: string
  readonly testId?: string
}) {
  const groups = address.match(GROUPS) ?? [address]
  const last = groups.length - (groups.at(-1)?.length === GROUP ? BOLD : BOLD + 1)
  return (
    <bdi
      dir="ltr"
      translate="no"
      ref={ref}
      data-testid={testId}
      // Makes the first and last character of a line touch the edges of the box.
      className={`-mx-[0.4ch] block font-mono leading-relaxed text-ink-2 ${className}`}
    >
      {groups.map((group, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          <span className={`mx-[0.4ch] ${index < BOLD || index >= last ? 'font-bold text-ink' : ''}`}>{group}</span>
        </Fragment>
      ))}
    </bdi>
  )
}
