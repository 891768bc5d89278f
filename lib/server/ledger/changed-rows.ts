/** Rows by key, with a note of which were changed. */
export class ChangedRows<Row> {
  readonly #rows = new Map<string, Row>()
  readonly #loaded = new Map<string, Row>()
  readonly #changed = new Set<string>()

  load(key: string, row: Row): void {
    if (this.#rows.has(key)) return
    this.#rows.set(key, row)
    this.#loaded.set(key, row)
  }

  /** The row as it was read; null if it was not. */
  before(key: string): Row | null {
    return this.#loaded.get(key) ?? null
  }

  get(key: string): Row | null {
    return this.#rows.get(key) ?? null
  }

  put(key: string, row: Row): void {
    this.#rows.set(key, row)
    this.#changed.add(key)
  }

  values(): Iterable<Row> {
    return this.#rows.values()
  }

  changed(): readonly Row[] {
    return [...this.#changed].flatMap((key) => this.#rows.get(key) ?? [])
  }
}
