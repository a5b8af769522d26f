import type { ErrorCode } from '@hilum/contract/errors'
import type { StorageErrorCode } from '@hilum/contract/storage-errors'

/** The API's own codes, and faults around it: no reply, no session, an answer that the API does not give. */
export type FailureCode =
  | ErrorCode
  | 'ERR_NETWORK'
  | 'UNAUTHORIZED'
  | 'SID_NOT_FOUND'
  | 'HTTP_ERROR'
  | 'UNEXPECTED_ERROR'

/** A call that did not succeed. Decide by `code`, never by the message. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: FailureCode
  /** `error_subtype` of the reply: the field at fault, the reason. */
  readonly subtype: string | readonly string[] | undefined
  /** `error_data` of the reply, or the reply itself where it is none of the API's own. */
  readonly data: unknown
  /** HTTP status; 0 without a reply. */
  readonly status: number

  constructor(
    code: FailureCode,
    detail: { subtype?: string | readonly string[]; data?: unknown; status?: number; message?: string } = {},
    options?: ErrorOptions,
  ) {
    super(detail.message ?? code, options)
    this.code = code
    this.subtype = detail.subtype
    this.data = detail.data
    this.status = detail.status ?? 0
  }
}

/** Whether a storage reply says that the virus scanner refused what was sent: 403, as for who may not send at all. */
export function isVirusRefusal(body: string): boolean {
  try {
    const { kind } = JSON.parse(body) as { kind?: { readable_status?: StorageErrorCode } } // compared below
    return kind?.readable_status === 'VIRUS_DETECTED'
  } catch {
    return false
  }
}

/** Why the storage keeps something of an exam as it is; undefined where a refusal has another reason. */
export function holdOf(failure: unknown): 'hold' | 'frozen' | undefined {
  if (!(failure instanceof ApiFailure) || failure.status !== 409 || typeof failure.data !== 'string') return undefined
  try {
    const { exception_data } = JSON.parse(failure.data) as { exception_data?: { reason?: unknown } } // compared below
    const reason = exception_data?.reason
    return reason === 'hold' || reason === 'frozen' ? reason : undefined
  } catch {
    return undefined
  }
}

/** The code of whatever was thrown: UNEXPECTED_ERROR for what is no failure of a call. */
export function failureCode(thrown: unknown): FailureCode {
  return thrown instanceof ApiFailure ? thrown.code : 'UNEXPECTED_ERROR'
}

/** True when the server understood the call and said no: trying again would not help. */
export function isRefusal(thrown: unknown): boolean {
  return thrown instanceof ApiFailure && thrown.status === 412
}
