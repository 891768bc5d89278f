/** A step that the state does not allow, or a thing that is not there: for the control routes. */
export class Refusal extends Error {
  readonly status: 404 | 409 | 422

  constructor(status: 404 | 409 | 422, message: string) {
    super(message)
    this.status = status
  }
}
