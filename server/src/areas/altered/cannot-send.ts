/** An image that must not leave: not everything can be replaced in it that is to be. The message says why in words. */
export class CannotSendError extends Error {
  override readonly name = 'CannotSendError'
  readonly sopUid: string
  readonly act: 'anonymized' | 'corrected'
  /** Whether whoever asks may have the image as it came. */
  readonly isOpenAsReceived: boolean

  constructor(act: CannotSendError['act'], sopUid: string, cause: Error, { isOpenAsReceived = true } = {}) {
    super(cause.message, { cause })
    this.isOpenAsReceived = isOpenAsReceived
    this.act = act
    this.sopUid = sopUid
  }
}
