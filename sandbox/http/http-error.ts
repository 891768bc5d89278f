/** A request that fails: 404 not found, 409 the state does not allow it, 422 invalid input. */
export class HttpError extends Error {
  readonly status: 404 | 409 | 422

  constructor(status: 404 | 409 | 422, message: string) {
    super(message)
    this.status = status
  }
}
