/** How far something has come, of a few named steps; `done` of them are reached. */
export function Steps({
  label,
  names,
  done,
}: {
  readonly label: string
  readonly names: readonly string[]
  readonly done: number
}) {
  return (
    <ol aria-label={label} className="flex gap-1.5 text-xs break-words text-ink-2 hyphens-auto">
      {names.map((name, index) => (
        <li key={name} aria-current={index === done - 1 ? 'step' : undefined} className="min-w-0 flex-auto">
          <span
            aria-hidden
            className={`mb-1 block h-1 rounded-full forced-color-adjust-none ${index < done ? 'bg-accent' : 'bg-line'}`}
          />
          <span className={index < done ? 'text-ink' : ''}>{name}</span>
        </li>
      ))}
    </ol>
  )
}
