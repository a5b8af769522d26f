/**
 * Every error of the storage API: number, HTTP status and the words a person reads when nothing closer is known.
 * Numbers and names are the wire's (`api-facts` §4).
 */
export const storageErrors = {
  UNKNOWN: [1, 500, 'Something failed inside the storage server'],
  FORBIDDEN: [2, 403, 'This is not permitted'],
  NOT_FOUND: [3, 404, 'Nothing is found at this address'],
  UNAUTHORIZED: [4, 401, 'No valid login'],
  BAD_REQUEST: [5, 400, 'The request cannot be understood'],
  NOT_ACCEPTABLE: [6, 406, 'The answer cannot be given in the form asked for'],
  ACCESS_DENIED: [7, 403, 'Access is denied'],
  JSON_DESERIALIZE_EXCEPTION: [8, 400, 'The body is not readable as JSON'],
  JSON_SERIALIZE_EXCEPTION: [9, 500, 'The answer cannot be written as JSON'],
  STORAGE_EXCEPTION_OCCURRED: [10, 500, 'The storage failed'],
  CONFLICT: [11, 409, 'The present state does not allow this'],
  DOWNSTREAM_NOT_AVAILABLE: [12, 404, 'A server behind this one does not answer'],
  DOWNSTREAM_SERVER_ERROR: [13, 500, 'A server behind this one failed'],
  IMAGE_NOT_FOUND: [14, 404, "Image wasn't found by provided ids"],
  IMAGES_NOT_FOUND: [15, 404, "Images weren't found by provided ids"],
  ATTACHMENT_NOT_FOUND_EXCEPTION: [16, 404, "Attachment wasn't found by provided ids"],
  SERIES_NOT_FOUND: [17, 404, "Series wasn't found by provided ids"],
  STUDY_NOT_FOUND: [18, 404, "Study wasn't found by provided ids"],
  PAYLOAD_TOO_LARGE: [19, 413, 'The file is larger than allowed'],
  STORE_OPERATION_FAILED: [20, 500, 'The file could not be stored'],
  VIRUS_DETECTED: [21, 403, 'The virus scanner refused the file'],
  NO_IMAGES_IN_STUDY: [36, 406, 'The study has no images'],
  NOT_VIDEO_IN_IMAGE: [38, 415, 'The image holds no video'],
  NOT_PDF_FILE: [39, 415, 'The image holds no PDF'],
  REQUESTED_RANGE_NOT_SATISFIABLE: [40, 416, 'The range lies outside the file'],
  ANONYMIZE_TAGS_FORMAT_ERROR: [41, 412, 'The list of tags cannot be read'],
  MISSING_REQUIRED_DICOM_TAG: [42, 412, 'The file lacks a DICOM attribute it must have'],
  VALIDATION_ERROR: [99, 412, 'The request or file is not valid'],
} as const satisfies Record<string, readonly [code: number, httpStatus: number, message: string]>

export type StorageErrorCode = keyof typeof storageErrors

/** The storage API's answer to a failure. `created` is in epoch milliseconds. */
type StorageErrorReply = {
  kind: { code: number; readable_status: StorageErrorCode }
  message: string
  exception_data: Record<string, string>
  created: number
  extended: string | null
}

/** A failure of the storage API on its way to the caller: `code` is the truth, the message is for people and holds no patient data. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode
  /** Ids that say what is meant, e.g. `study_uid`. */
  readonly data: Record<string, string>
  readonly httpStatus: number
  /** Seconds after which the same request may go well; undefined where it will fail again. */
  readonly retrySeconds: number | undefined

  constructor(
    code: StorageErrorCode,
    message?: string,
    data: Record<string, string> = {},
    options: ErrorOptions & { httpStatus?: 503 | 507; retrySeconds?: number } = {},
  ) {
    super(message ?? storageErrors[code][2], options)
    this.code = code
    this.data = data
    this.httpStatus = options.httpStatus ?? storageErrors[code][1]
    this.retrySeconds = options.retrySeconds
  }
}

/** The body of the answer. `isVerbose` when the request carries `X-AmbraHealth-Verbose-Errors: 1`. */
export function presentStorageError(error: StorageError, now: Date, isVerbose = false): StorageErrorReply {
  return {
    kind: { code: storageErrors[error.code][0], readable_status: error.code },
    message: error.message,
    exception_data: error.data,
    created: now.getTime(),
    extended: isVerbose ? storageErrors[error.code][2] : null,
  }
}
