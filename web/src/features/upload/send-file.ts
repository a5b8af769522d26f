import { clientHeaders } from '@hilum/contract/client-headers'
import { SendFault } from './send-fault.ts'

export interface SendTerms {
  sid: string
  signal: AbortSignal
  /** Bytes of this file sent so far. */
  onBytes: (sentBytes: number) => void
  /** The whole of a large file has gone: only the answer is waited for, and ending the request would cost all its bytes. */
  onGone: () => void
}

/**
 * From here on a file shows its own progress. Below, one request is over before anybody could look, also on a line of
 * 1 Mbit/s that four files share: without progress a slow line would be taken for a silent one.
 */
const PROGRESS_FROM_BYTES = 64 * 1024
/** Bytes that a browser has taken and that are still on their way, at most. */
const ON_THEIR_WAY_BYTES = 1024 * 1024
/** The longest that a request may stand still, beside the time that its last bytes take on a slow line. */
const STALL_MS = 90_000
const SLOW_BYTES_PER_SECOND = 8 * 1024

/** The patience with a request that shows no progress: what the browser has taken of the file may still be on its way. */
export function patienceMs(sizeBytes: number): number {
  return STALL_MS + (Math.min(sizeBytes, ON_THEIR_WAY_BYTES) / SLOW_BYTES_PER_SECOND) * 1000
}

/** The storage's answer to a file. */
export interface FileReply {
  status: number
  body: string
}

/**
 * Sends one file to an address of the storage.
 * @param form the form in which the file goes; without one its bytes are the body
 * @throws SendFault when no answer came, or the signal's reason when that aborts
 */
export function sendFile(address: string, file: File, terms: SendTerms, form?: FormData): Promise<FileReply> {
  const headers = {
    'X-File-Size': String(file.size),
    'X-File-Name': encodeURIComponent(file.name),
  }
  const send = file.size > PROGRESS_FROM_BYTES ? sendByXhr : sendByFetch
  return send({ address, headers, sizeBytes: file.size, body: form ?? file }, terms).catch(async (cause) => {
    terms.signal.throwIfAborted()
    throw await nameFault(file, cause)
  })
}

interface Sending {
  address: string
  headers: Record<string, string>
  /** Of the body, or of the file in it. */
  sizeBytes: number
  body: Blob | FormData
}

async function sendByFetch({ address, headers: more, sizeBytes, body }: Sending, terms: SendTerms) {
  const signal = AbortSignal.any([terms.signal, AbortSignal.timeout(patienceMs(sizeBytes))])
  const headers = { ...clientHeaders(terms.sid), ...more }
  // a redirection is none of the server's: the file goes nowhere else
  const reply = await fetch(address, { method: 'POST', headers, body, signal, credentials: 'omit', redirect: 'manual' })
  if (reply.type === 'opaqueredirect') throw new Error('The request was redirected')
  return { status: reply.status, body: await reply.text() }
}

/**
 * Sends a body to an address; fetch cannot tell how many bytes of a body have left, XMLHttpRequest can.
 * @throws an error when no answer came
 */
export function sendByXhr({ address, headers, sizeBytes, body }: Sending, terms: SendTerms): Promise<FileReply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const patience = patienceMs(sizeBytes)
    let stalled = setTimeout(abort, patience)
    function finish(act: () => void) {
      clearTimeout(stalled)
      terms.signal.removeEventListener('abort', abort)
      act()
    }
    request.open('POST', address)
    for (const [name, value] of Object.entries({ ...clientHeaders(terms.sid), ...headers })) {
      request.setRequestHeader(name, value)
    }
    request.upload.addEventListener('progress', (event) => {
      clearTimeout(stalled)
      stalled = setTimeout(abort, patience)
      terms.onBytes(Math.min(event.loaded, sizeBytes))
    })
    request.upload.addEventListener('load', () => {
      // of a smaller file all may have gone into a connection that is dead, and sending it again costs little
      if (sizeBytes > ON_THEIR_WAY_BYTES) terms.onGone()
    })
    request.addEventListener('load', () =>
      finish(() => resolve({ status: request.status, body: request.responseText })),
    )
    request.addEventListener('error', () => finish(() => reject(new Error('The request failed'))))
    request.addEventListener('abort', () => finish(() => reject(new Error('The request was stopped'))))
    terms.signal.addEventListener('abort', abort, { once: true })
    request.send(body)
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
