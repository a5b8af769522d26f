/** An image that must not leave: not everything can be replaced in it that is to be. The message says why in words. */
export class CannotLeaveError extends Error {
  override readonly name = 'CannotLeaveError'
  readonly sopUid: string
  readonly act: 'anonymized' | 'corrected'

  constructor(act: CannotLeaveError['act'], sopUid: string, cause: Error) {
    super(cause.message, { cause })
    this.act = act
    this.sopUid = sopUid
  }
}
