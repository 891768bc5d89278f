/** A reader of server-sent events by the standard, sufficient for tests. */
export interface ReadEvent {
  readonly id: string
  readonly type: string
  readonly data: string
}

export interface EventReader {
  readonly events: readonly ReadEvent[]
  readonly comments: readonly string[]
  /** The next `Last-Event-ID`; empty before the first id. */
  readonly lastEventId: string
  /** Takes the next piece of the body. */
  push(text: string): void
}

export function createEventReader(lastEventId = ''): EventReader {
  const events: ReadEvent[] = []
  const comments: string[] = []
  let id = lastEventId
  let rest = ''

  const dispatch = (block: string): void => {
    let type = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const [field = '', ...more] = line.split(':')
      const value = more.join(':').replace(/^ /, '')
      if (line.startsWith(':')) comments.push(line.slice(1).trim())
      else if (field === 'id') id = value
      else if (field === 'event') type = value
      else if (field === 'data') data.push(value)
    }
    if (data.length > 0) events.push({ id, type, data: data.join('\n') })
  }

  return {
    events,
    comments,
    get lastEventId() {
      return id
    },
    push(text) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) dispatch(block)
    },
  }
}
