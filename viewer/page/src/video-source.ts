import type { StudySource } from './dicomweb.ts'
import { faultOfStatus, reasonOf, RequestError } from './request-error.ts'

const PIECE_BYTES = 8 * 1024 * 1024

/** Told how much of a video is there, from 0 to 1. */
type TellShare = (share: number) => void

/**
 * Whether the address of a video is answered to the cookie of the person who is signed in. The browser then plays it by
 * ranges; an address must not carry a sid, and behind a link there is no cookie.
 * @returns the content type
 */
export async function typeOfAddress(address: string, signal: AbortSignal): Promise<string | undefined> {
  const probe = await fetch(address, { headers: { range: 'bytes=0-0' }, signal }).catch(() => undefined)
  await probe?.body?.cancel()
  return probe?.ok ? (probe.headers.get('content-type') ?? '') : undefined
}

/** @throws RequestError where the server does not answer, or no longer to this session */
export async function askForVideo(address: string, source: StudySource, signal: AbortSignal): Promise<void> {
  const response = await fetchRange(address, source, signal, { range: 'bytes=0-0' })
  await response.body?.cancel()
}

/**
 * The whole video, fetched piece by piece: the browser may put pieces aside on its disc.
 * @throws RequestError
 */
export async function fetchVideo(
  address: string,
  source: StudySource,
  signal: AbortSignal,
  tellShare: TellShare,
): Promise<Blob> {
  const pieces: Blob[] = []
  let read = 0
  let total = Number.POSITIVE_INFINITY
  let ofSame: Record<string, string> = {}
  while (read < total) {
    const range = `bytes=${read}-${read + PIECE_BYTES - 1}`
    const response = await fetchRange(address, source, signal, { range, ...ofSame })
    // a line that is cut in the middle
    const piece = await response.blob().catch((cause: unknown) => {
      throw new RequestError('unreachable', cause)
    })
    // the whole, where the video was replaced meanwhile
    if (response.status !== 206) return piece
    total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1])
    if (piece.size === 0 || Number.isNaN(total)) throw new RequestError('failed')
    pieces.push(piece)
    read += piece.size
    tellShare(Math.min(1, read / total))
    const etag = response.headers.get('etag')
    ofSame = etag === null ? {} : { 'if-range': etag }
  }
  return new Blob(pieces, { type: pieces[0]?.type ?? '' })
}

async function fetchRange(
  address: string,
  source: StudySource,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<Response> {
  const response = await fetch(address, {
    headers: { ...source.headers, ...headers },
    signal,
    credentials: 'omit',
  }).catch((cause: unknown) => {
    throw new RequestError('unreachable', cause)
  })
  if (!response.ok) throw new RequestError(faultOfStatus(response.status), undefined, await reasonOf(response))
  return response
}
