import { clientHeaders } from '@hilum/contract/client-headers'
import { addressOf } from '@hilum/contract/route'
import { uploadImage } from '@hilum/contract/routes/storage-uploads'
import * as z from 'zod/mini'
import { sessionTtl } from '@hilum/contract/calls/session'
import { ApiFailure } from '../../api/api-failure.ts'
import { callApi } from '../../api/call-api.ts'
import { reportRefused } from '../../api/credentials.ts'
import { faultOf, SendFault } from './send-fault.ts'

/** The storage's 202 for an image, which is on disk and on record by then. */
const accepted = z.object({
  study_uid: z.string(),
  image_uid: z.string(),
  image_version: z.coerce.string(),
  /** duplicate: the same content was there; conflict: kept beside another image of the same SOP UID. */
  outcome: z._default(z.enum(['stored', 'duplicate', 'conflict']), 'stored'),
})
export type AcceptedImage = z.infer<typeof accepted>

export interface ImageToSend {
  file: File
  studyUid: string
  namespace: string
}

export interface SendTerms {
  sid: string
  signal: AbortSignal
  /** Bytes of this file sent so far. */
  onBytes: (sentBytes: number) => void
}

/** From here on a file shows its own progress; below, one request is over before anybody could look. */
const PROGRESS_FROM_BYTES = 1024 * 1024
/** The longest that a request may stand still. */
const STALL_MS = 90_000

/**
 * Sends one DICOM file as it is (API-41).
 * @throws SendFault, or the signal's reason when that aborts
 */
export async function sendImage(image: ImageToSend, terms: SendTerms): Promise<AcceptedImage> {
  const address = addressOf(uploadImage, { namespace: image.namespace }, { study_uid: image.studyUid })
  const headers = {
    ...clientHeaders(terms.sid),
    'X-File-Size': String(image.file.size),
    'X-File-Name': encodeURIComponent(image.file.name),
  }
  const send = image.file.size > PROGRESS_FROM_BYTES ? sendByXhr : sendByFetch
  const reply = await send(address, headers, image.file, terms)
  if (reply.status === 403 && !(await isSessionAlive(terms))) throw new SendFault('signed-out', reply.status)
  if (reply.status === 401) reportRefused(terms.sid)
  if (reply.status !== 200 && reply.status !== 202) throw faultOf(reply.status, reply.body)
  terms.onBytes(image.file.size)
  try {
    return accepted.parse(JSON.parse(reply.body))
  } catch (cause) {
    throw new SendFault('server', reply.status, '', { cause })
  }
}

/** The storage answers 403 to a dead session as to a missing permission, so that neither tells of foreign studies. */
async function isSessionAlive({ sid, signal }: SendTerms): Promise<boolean> {
  try {
    await callApi(sessionTtl, {}, { sid, signal })
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ApiFailure && ['EXPIRED', 'UNAUTHORIZED'].includes(error.code))) return true
    reportRefused(sid)
    return false
  }
}

interface Reply {
  status: number
  body: string
}

async function sendByFetch(address: string, headers: Record<string, string>, file: File, terms: SendTerms) {
  const signal = AbortSignal.any([terms.signal, AbortSignal.timeout(STALL_MS)])
  try {
    const reply = await fetch(address, { method: 'POST', headers, body: file, signal, credentials: 'omit' })
    return { status: reply.status, body: await reply.text() }
  } catch (cause) {
    terms.signal.throwIfAborted()
    throw await nameFault(file, cause)
  }
}

/** fetch cannot tell how many bytes of a body have left; XMLHttpRequest can. */
async function sendByXhr(address: string, headers: Record<string, string>, file: File, terms: SendTerms) {
  try {
    return await xhrSend(address, headers, file, terms)
  } catch (cause) {
    terms.signal.throwIfAborted()
    throw await nameFault(file, cause)
  }
}

function xhrSend(address: string, headers: Record<string, string>, file: File, terms: SendTerms): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let stalled = setTimeout(abort, STALL_MS)
    function finish(act: () => void) {
      clearTimeout(stalled)
      terms.signal.removeEventListener('abort', abort)
      act()
    }
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', (event) => {
      clearTimeout(stalled)
      stalled = setTimeout(abort, STALL_MS)
      terms.onBytes(Math.min(event.loaded, file.size))
    })
    request.addEventListener('load', () =>
      finish(() => resolve({ status: request.status, body: request.responseText })),
    )
    request.addEventListener('error', () => finish(() => reject(new Error('The request failed'))))
    request.addEventListener('abort', () => finish(() => reject(new Error('The request was stopped'))))
    terms.signal.addEventListener('abort', abort, { once: true })
    request.send(file)
  })
}

/** A file that was moved or changed since it was chosen fails like a broken line; reading it tells the two apart. */
async function nameFault(file: File, cause: unknown): Promise<SendFault> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch (readCause) {
    return new SendFault('unreadable', 0, '', { cause: readCause })
  }
  return new SendFault('unreachable', 0, '', { cause })
}
