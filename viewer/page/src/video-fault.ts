import { requestFaultWords } from './fault-words.ts'
import { RequestError } from './request-error.ts'
import { texts } from './texts.ts'

/** Numbers of the errors of a media element. Source: HTML, MediaError. */
const NETWORK = 2
const DECODE = 3
const NOT_SUPPORTED = 4

export type VideoFault = { words: string; mayTryAgain: boolean }

/** @param code of MediaError */
export type PlayerFailure = { code: number | undefined; hasPlayed: boolean }

/** A browser also takes an address that does not answer for a kind of video that it does not know. */
export function faultOfPlayer({ code, hasPlayed }: PlayerFailure, isAnswered: boolean): VideoFault {
  if (code === DECODE && hasPlayed) return { words: texts.videoBroken, mayTryAgain: true }
  const isCut = code === NETWORK || (code === NOT_SUPPORTED && !isAnswered)
  return { words: isCut ? texts.videoCut : texts.videoNotPlayed, mayTryAgain: isCut }
}

export function faultOfRequest(error: unknown): VideoFault {
  if (!(error instanceof RequestError)) return { words: texts.videoCut, mayTryAgain: true }
  if (error.reason !== undefined) return { words: error.reason, mayTryAgain: false }
  const mayTryAgain = error.fault === 'unreachable' || error.fault === 'failed'
  return { words: requestFaultWords[error.fault], mayTryAgain }
}
