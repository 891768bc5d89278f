/** Placeholder of loading content, in its size. */
export const Skeleton = ({ className }: { readonly className: string }) => (
  <span aria-hidden className={`skeleton block ${className}`} />
)
