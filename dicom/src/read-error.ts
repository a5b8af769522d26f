/** Why bytes were not taken as a DICOM instance. */
export type ReadErrorCode =
  | 'empty'
  | 'not-dicom'
  | 'directory'
  | 'truncated'
  | 'malformed'
  | 'too-deep'
  | 'too-large'
  | 'too-large-inflated'
  | 'cannot-inflate'
  | 'missing-uid'
  | 'unusable-uid'

/** A file that cannot be read as a DICOM instance; the message says why in words and holds no patient data. */
export class DicomReadError extends Error {
  readonly code: ReadErrorCode

  constructor(code: ReadErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'DicomReadError'
    this.code = code
  }
}

/** Thrown inside the reader when a prefix ends before what was asked for; readHeader turns it into "need more". */
export class NeedMoreBytes extends Error {
  readonly atLeastBytes: number

  constructor(atLeastBytes: number) {
    super(`At least ${atLeastBytes} bytes are needed`)
    this.name = 'NeedMoreBytes'
    this.atLeastBytes = atLeastBytes
  }
}
