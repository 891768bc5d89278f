import { setTimeout as sleep } from 'node:timers/promises'
import { fieldErrors } from '../operations/reply.ts'
import { SANDBOX_OPTION, UsageError, sandboxUrl } from './command.ts'
import type { Command, Given } from './command.ts'
import { controlClient } from './control-client.ts'
import type { AskSandbox } from './control-client.ts'
import { runTrigger } from './run-trigger.ts'
import { FIELD_USES, TRIGGERS, TRIGGER_NAMES, triggerInput } from './trigger-table.ts'
import type { TriggerInput, TriggerName } from './trigger-table.ts'
import { answerOf, readWebhooks } from './webhook-log.ts'
import type { WebhookLog } from './webhook-log.ts'

const DELIVERY_WAIT_MS = 3000
const POLL_MS = 50

const optionName = (field: string): string => field.replaceAll('_', '-')

function eventOf({ words }: Given): TriggerName {
  const [event = '', ...more] = words
  const known = TRIGGER_NAMES.find((name) => name === event)
  if (known === undefined) {
    const fault = event === '' ? 'trigger needs an event' : `${event} is no event`
    throw new UsageError([`${fault}. The events are:`, ...eventList()].join('\n'))
  }
  if (more.length > 0) throw new UsageError(`trigger takes one event; ${more.join(' ')} is too much`)
  return known
}

function inputOf({ options }: Given): TriggerInput {
  const named = Object.keys(FIELD_USES).flatMap((field) => {
    const value = options[optionName(field)]
    return value === undefined ? [] : [[field, value] as const]
  })
  const read = triggerInput.safeParse(Object.fromEntries(named))
  if (read.success) return read.data
  const faults = Object.entries(fieldErrors(read.error)).map(
    ([field, messages]) => `--${optionName(field)} ${messages.join(', ')}`,
  )
  throw new UsageError(faults.join('\n'))
}

const eventList = (): readonly string[] => TRIGGER_NAMES.map((name) => `  ${name.padEnd(25)} ${TRIGGERS[name].about}`)

/** Waits until each webhook of the transaction was tried once, or does not wait to be sent. */
async function deliveriesOf(ask: AskSandbox, uuid: string): Promise<readonly WebhookLog[]> {
  const until = Date.now() + DELIVERY_WAIT_MS
  for (;;) {
    const webhooks = await readWebhooks(ask, { transaction_uuid: uuid })
    const waits = webhooks.some(({ state, log }) => state === 'queued' && log.length === 0)
    if (!waits || Date.now() > until) return webhooks.toReversed()
    await sleep(POLL_MS)
  }
}

function deliveryLine({ id, event, status, state, log }: WebhookLog): string {
  const last = log.at(-1)
  const outcome = last === undefined ? `not sent (${state})` : `${last.url} ${answerOf(last)}`
  return `  webhook ${String(id)}: ${event} ${status}, ${outcome}`
}

export const triggerCommand: Command = {
  name: 'trigger',
  usage: 'trigger EVENT [options]',
  about: 'Makes an event happen in a running sandbox, on a new transaction or an existing one.',
  options: [
    ...Object.entries(FIELD_USES).map(([field, { takes, about }]) => ({ name: optionName(field), takes, about })),
    SANDBOX_OPTION,
  ],
  more: ['Events:', ...eventList()].join('\n'),
  async run(given, print) {
    const event = eventOf(given)
    const ask = controlClient(sandboxUrl(given))
    const { kind, uuid, made, status, what } = await runTrigger(ask, event, inputOf(given))
    print(`${event}: ${made ? 'made' : 'moved'} ${kind} ${uuid} (${what}); it is ${status}`)
    const webhooks = await deliveriesOf(ask, uuid)
    for (const webhook of webhooks) print(deliveryLine(webhook))
    if (webhooks.length === 0) print('  no webhook: this status sends none')
    return 0
  },
}
