import { z } from 'zod'
import { HttpError } from '../http/http-error.ts'
import { merchantChangesSchema } from '../state/merchants.ts'
import { modeChangesSchema } from '../state/modes.ts'
import { noInput, route } from './route.ts'

export const clockSchema = z.strictObject({ offset_ms: z.int() }).or(z.strictObject({ advance_ms: z.int() }))

export const modeRoutes = [
  route('GET', '/modes', 'The current modes.', noInput, (_input, _params, context) => context.modes.read()),
  route(
    'PATCH',
    '/modes',
    'Changes modes: any of the fields of GET /control/modes.',
    modeChangesSchema,
    (input, _params, context) => {
      const modes = context.modes.change(input)
      context.wakeDeliveryWorker()
      return modes
    },
  ),
  route(
    'POST',
    '/clock',
    "Moves the gateway's clock: {offset_ms} from real time, or {advance_ms} from its current time.",
    clockSchema,
    (input, _params, context) => {
      const before = context.modes.read().clock_offset_ms
      const clock_offset_ms = 'offset_ms' in input ? input.offset_ms : before + input.advance_ms
      context.modes.change({ clock_offset_ms })
      return { clock_offset_ms, now: context.now() }
    },
  ),
  route(
    'PATCH',
    '/merchants/:id',
    'Changes a merchant: {webhook_url?: url | null, allow_custom_external_wallet?}.',
    merchantChangesSchema,
    (input, { id = '' }, context) => {
      const merchant = context.merchants.change(id, input)
      if (!merchant) throw new HttpError(404, `no merchant ${id}`)
      context.wakeDeliveryWorker()
      const { key: _key, ...shown } = merchant
      return { merchant: shown }
    },
  ),
]
