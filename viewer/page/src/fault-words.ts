import { RequestError } from './request-error.ts'
import { TooLargeError } from './drawable-size.ts'
import { texts } from './texts.ts'

/** Why an image is not there, in a sentence. The loader rejects with the request itself, or wraps the words of the decoder. */
export function wordsOfFault(inner: unknown): string {
  if (inner instanceof TooLargeError) return texts.imageTooLarge(inner.rows, inner.columns)
  if (inner instanceof RequestError) {
    if (inner.reason !== undefined) return texts.imageRefused(inner.reason)
    return inner.fault === 'ended' ? texts.viewEnded : texts.imageNotSent
  }
  if (!(inner instanceof XMLHttpRequest) || inner.status === 406) return texts.imageFailed
  return inner.status === 401 || inner.status === 403 ? texts.viewEnded : texts.imageNotSent
}

/** Why a study, a series or a video is not there, by the fault of its request. */
export const requestFaultWords = {
  ended: texts.viewEnded,
  gone: texts.studyGone,
  unreachable: texts.unreachable,
  failed: texts.serverFailed,
} as const satisfies Record<RequestError['fault'], string>
