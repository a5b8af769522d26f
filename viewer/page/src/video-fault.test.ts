import { expect, it } from 'vitest'
import { RequestError } from './request-error.ts'
import { texts } from './texts.ts'
import { faultOfPlayer, faultOfRequest } from './video-fault.ts'

it('tells a line that was cut from a kind of video that the browser does not know', () => {
  const cut = { words: texts.videoCut, mayTryAgain: true }
  const unknown = { words: texts.videoNotPlayed, mayTryAgain: false }
  expect(faultOfPlayer({ code: 2, hasPlayed: false }, true)).toEqual(cut)
  expect(faultOfPlayer({ code: 4, hasPlayed: false }, false)).toEqual(cut)
  expect(faultOfPlayer({ code: 4, hasPlayed: false }, true)).toEqual(unknown)
  expect(faultOfPlayer({ code: 3, hasPlayed: false }, true)).toEqual(unknown)
})

it('offers another try where a video that has played cannot be read from there on', () => {
  const broken = { words: texts.videoBroken, mayTryAgain: true }
  expect(faultOfPlayer({ code: 3, hasPlayed: true }, true)).toEqual(broken)
})

it('offers another try where that may help', () => {
  expect(faultOfRequest(new RequestError('unreachable'))).toEqual({ words: texts.unreachable, mayTryAgain: true })
  expect(faultOfRequest(new RequestError('ended'))).toEqual({ words: texts.viewEnded, mayTryAgain: false })
  const refused = new RequestError('failed', undefined, 'This video came without its pixels.')
  expect(faultOfRequest(refused)).toEqual({ words: 'This video came without its pixels.', mayTryAgain: false })
})
