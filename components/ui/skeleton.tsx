/** Holds the place of what is loading, in its size. */
export const Skeleton = ({ className }: { readonly className: string }) => (
  <span aria-hidden className={`skeleton block ${className}`} />
)
