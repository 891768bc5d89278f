import { z } from 'zod'
import { Refusal } from '../lifecycle/refusal.ts'
import { merchantChangesSchema } from '../state/merchants.ts'
import { modeChangesSchema } from '../state/modes.ts'
import { nothing, route } from './route.ts'

const clockSchema = z.strictObject({ offset_ms: z.int() }).or(z.strictObject({ advance_ms: z.int() }))

export const switchRoutes = [
  route('GET', '/control/modes', 'The switches as they stand.', nothing, (_, __, context) => context.modes.read()),
  route(
    'PATCH',
    '/control/modes',
    'Turns switches: any of the fields of GET /control/modes.',
    modeChangesSchema,
    (input, _, context) => {
      const modes = context.modes.change(input)
      context.wakeCourier()
      return modes
    },
  ),
  route(
    'POST',
    '/control/clock',
    "Moves the gateway's clock: {offset_ms} from real time, or {advance_ms} from where it stands.",
    clockSchema,
    (input, _, context) => {
      const before = context.modes.read().clock_offset_ms
      const clock_offset_ms = 'offset_ms' in input ? input.offset_ms : before + input.advance_ms
      context.modes.change({ clock_offset_ms })
      return { clock_offset_ms, now: context.now() }
    },
  ),
  route(
    'PATCH',
    '/control/merchants/:id',
    'Changes a merchant: {webhook_url?: url | null, allow_custom_external_wallet?}.',
    merchantChangesSchema,
    (input, { id = '' }, context) => {
      const merchant = context.merchants.change(id, input)
      if (!merchant) throw new Refusal(404, `no merchant ${id}`)
      context.wakeCourier()
      const { key: _, ...shown } = merchant
      return { merchant: shown }
    },
  ),
]
