import type { SignInFault } from '@hilum/contract/sign-in-faults'

/** A sign-in by a provider that comes to nothing. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal'
  readonly fault: SignInFault
  /** Word of the library or the provider, for operators; without values. */
  readonly code: string
  /** The user who was to be signed in, where known. */
  readonly userUuid: string | undefined
  constructor(fault: SignInFault, code = '', userUuid?: string) {
    super(fault)
    this.fault = fault
    this.code = code
    this.userUuid = userUuid
  }
}
