/**
 * Reasons why an association or a request ends before its time:
 * - `refused`: the peer rejected the association
 * - `aborted`: the peer broke it off
 * - `lost`: the connection ended without a word
 * - `timeout`: the peer was silent, or did not read
 * - `protocol`: the peer sent what the standard forbids, or more than we take
 * - `not-accepted`: the peer takes the association but not this class or syntax
 */
type DimseErrorCode = 'refused' | 'aborted' | 'lost' | 'timeout' | 'protocol' | 'not-accepted'

/** The message is for people and holds nothing of the data set. */
export class DimseError extends Error {
  override readonly name = 'DimseError'
  readonly code: DimseErrorCode
  /** With `refused`: what the peer said. */
  readonly rejection: Rejection | undefined

  constructor(code: DimseErrorCode, message: string, options: ErrorOptions & { rejection?: Rejection } = {}) {
    super(message, options)
    this.code = code
    this.rejection = options.rejection
  }
}

/** Words for an answer in TLS to a request without it. */
export const speaksTls = 'The peer speaks TLS, and is called without it'

/** Result, source and reason of an A-ASSOCIATE-RJ (PS3.8 §9.3.4). */
export type Rejection = { result: number; source: number; reason: number }

/** The rejections that we give, and the words for those that we get. */
export const rejections = {
  noReason: { result: 1, source: 1, reason: 1 },
  unknownApplicationContext: { result: 1, source: 1, reason: 2 },
  unknownCallingTitle: { result: 1, source: 1, reason: 3 },
  unknownCalledTitle: { result: 1, source: 1, reason: 7 },
  unknownProtocolVersion: { result: 1, source: 2, reason: 2 },
  congested: { result: 2, source: 3, reason: 1 },
  tooManyAssociations: { result: 2, source: 3, reason: 2 },
} as const satisfies Record<string, Rejection>

const words: Record<string, string> = {
  '1/1': 'without giving a reason',
  '1/2': 'because it does not know the application context',
  '1/3': 'because it does not know our AE title',
  '1/7': 'because it is not called by this AE title',
  '2/1': 'without giving a reason',
  '2/2': 'because of the protocol version',
  '3/1': 'because it is busy',
  '3/2': 'because it has too many associations',
}

export function describeRejection({ result, source, reason }: Rejection): string {
  const why = words[`${source}/${reason}`] ?? `with the reason ${result}/${source}/${reason}`
  return `The peer rejected the association ${why}`
}
