import { Fragment, type Ref } from 'react'

/**
 * A reference, such as a UUID or a hash. It starts on a new line if it does not fit beside other text. It breaks after
 * a hyphen, and inside a group only if the group is longer than a line.
 */
export function ReferenceText({
  value,
  ref,
  className = '',
}: {
  readonly value: string
  readonly ref?: Ref<HTMLElement>
  readonly className?: string
}) {
  return (
    <bdi
      dir="ltr"
      translate="no"
      ref={ref}
      className={`inline-block max-w-full font-mono text-xs wrap-anywhere select-all ${className}`}
    >
      {value.split(/(?<=-)/).map((group, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {group}
        </Fragment>
      ))}
    </bdi>
  )
}
