import type { LentFile } from '../storage/object-store.ts'

/** One instance on its way to a DICOM node. */
export interface OutgoingInstance {
  /** SOP UIDs as the data set has them, not group 0002. */
  sopClass: string
  sopInstance: string
  /** The syntax that the bytes are in. */
  transferSyntax: string
  /** The file as it leaves, from its first byte; asked for once each time that it is sent. */
  open: () => AsyncIterable<Uint8Array>
  /** Whether the chunks of `open` belong to their reader alone, so that their memory can be given back once they have left. */
  ownsChunks?: boolean
  /** Lends the stored object as a file, for decoding its pixels in another thread. */
  useFile: <T>(use: (file: LentFile) => Promise<T>) => Promise<T>
}

/**
 * The instance must not leave, and the message says why in words. Thrown by `open` before the first byte; as the reason of an
 * aborted signal it also ends an instance that is under way.
 */
export class MustNotSendError extends Error {
  override readonly name = 'MustNotSendError'
}

export interface SendOutcome {
  instance: OutgoingInstance
  /** `warning`: the peer has it, and has something to say about it. */
  kind: 'stored' | 'warning' | 'failed'
  /** The peer's answer; undefined when there was none. */
  status: number | undefined
  /** Words for people without patient data; empty when stored. */
  reason: string
  /** Of a failure: whether it may pass by itself, so that another try is worth its time. */
  mayPass: boolean
  /** Whether the peer got another transfer syntax than the stored one. */
  isTranscoded: boolean
}
