import { openApiValidator, readDocument } from '../../scripts/openapi-validators.ts'

const validator = openApiValidator(readDocument())

/** @throws when an answer of the merchant API does not match docs/openapi.json */
export async function checkAnswer(method: string, path: string, response: Response): Promise<void> {
  const described = validator.pathOf(new URL(`/api/merchant${path}`, 'http://cashier.local').pathname)
  if (described === undefined) return
  const text = await response.text()
  const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '')
  const body: unknown = text === '' ? undefined : /json/.test(type) ? JSON.parse(text) : text
  const faults = validator.answer({ method, path: described, status: response.status, type }, body)
  if (faults.length > 0) throw new Error(`${method} ${path} ${response.status}: ${faults.join('; ')}\n${text}`)
}
