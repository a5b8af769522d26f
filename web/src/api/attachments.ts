import { clientHeaders } from '@hilum/contract/client-headers'
import { addressOf } from '@hilum/contract/route'
import { attachmentAdd, attachmentRemove, attachmentVersion } from '@hilum/contract/routes/storage-attachments'
import { sessionTtl } from '@hilum/contract/calls/session'
import { ApiFailure, isVirusRefusal } from './api-failure.ts'
import { callApi, toFailure } from './call-api.ts'
import { freshSid, reportRefused } from './credentials.ts'
import { namesOf } from './storage.ts'

/** The study record that a file is attached to: attachments belong to a record, not to stored images. */
export interface AttachedTo {
  storage_namespace: string
  study_uid: string
  phi_namespace: string
  /** Session of an opened link, which stands in addresses; without it the cookie of the person's session opens them. */
  sid?: string
}
interface AttachmentAddress {
  id: string
  version: string
}

/** Address of one version of an attachment; without the session of a link no secret stands in it. */
export function attachmentAddress(study: AttachedTo, { id, version }: AttachmentAddress): string {
  return withSid(addressOf(attachmentVersion, { ...namesOf(study), id, version }, ofRecord(study)), study)
}

/**
 * Sends a file to be attached, telling how much of it has left.
 * @throws ApiFailure; the storage's words stand in its `data`. AbortError when `signal` fires
 */
export async function sendAttachment(
  study: AttachedTo,
  file: File,
  terms: { signal: AbortSignal; onBytes: (sentBytes: number) => void },
): Promise<void> {
  const sid = await demandSid()
  const reply = await postForm(addressOf(attachmentAdd, namesOf(study), ofRecord(study)), sid, file, terms)
  if (reply.status < 300) return
  throw await explain(sid, reply, reply.body)
}

/** @throws ApiFailure */
export async function deleteAttachment(study: AttachedTo, key: AttachmentAddress): Promise<void> {
  const sid = await demandSid()
  const address = addressOf(attachmentRemove, { ...namesOf(study), ...key }, ofRecord(study))
  const reply = await fetchStored(address, sid, { method: 'DELETE' })
  if (!reply.ok) throw await explain(sid, reply, await reply.text())
}

/**
 * Reads one version of an attachment. The type is what the server found its first bytes to be, never what its name says.
 * @throws ApiFailure
 */
export async function readAttachment(study: AttachedTo, key: AttachmentAddress, signal: AbortSignal): Promise<Blob> {
  return (await readStored(attachmentAddress(study, key), signal, study.sid)).blob()
}

/** An address with a query, and the session of the opened link where there is one. */
export function withSid(address: string, { sid }: Pick<AttachedTo, 'sid'>): string {
  return sid ? `${address}&sid=${encodeURIComponent(sid)}` : address
}

/**
 * Reads a file of the storage API.
 * @param linkSid session of an opened link, in place of the person's own
 * @throws ApiFailure
 */
export async function readStored(address: string, signal: AbortSignal, linkSid?: string): Promise<Response> {
  const sid = linkSid ?? (await demandSid())
  const reply = await fetchStored(address, sid, { signal })
  if (!reply.ok && linkSid) throw toFailure(reply, await reply.text())
  if (!reply.ok) throw await explain(sid, reply, await reply.text())
  return reply
}

function ofRecord({ phi_namespace }: AttachedTo) {
  return { phi_namespace }
}

async function demandSid(): Promise<string> {
  const sid = await freshSid()
  if (!sid) throw new ApiFailure('SID_NOT_FOUND', { message: 'SID not found in session' })
  return sid
}

async function fetchStored(address: string, sid: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, headers: clientHeaders(sid), credentials: 'same-origin' })
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new ApiFailure('ERR_NETWORK', {}, { cause })
  }
}

/** The storage answers 403 to a dead session as to a missing permission, so that neither tells of foreign studies. */
async function explain(sid: string, reply: Pick<Response, 'status' | 'statusText'>, body: string): Promise<ApiFailure> {
  if (reply.status === 401) reportRefused(sid)
  if (reply.status === 403 && (await isSessionOver(sid))) {
    reportRefused(sid)
    return new ApiFailure('UNAUTHORIZED', { status: reply.status })
  }
  if (isVirusRefusal(body)) {
    return new ApiFailure('HTTP_ERROR', { subtype: 'VIRUS_DETECTED', status: reply.status, data: body })
  }
  if (reply.status === 403) return new ApiFailure('NOT_PERMITTED', { status: reply.status, data: body })
  return toFailure(reply, body)
}

async function isSessionOver(sid: string): Promise<boolean> {
  try {
    await callApi(sessionTtl, {}, { sid })
    return false
  } catch (failure) {
    return failure instanceof ApiFailure && ['EXPIRED', 'UNAUTHORIZED'].includes(failure.code)
  }
}

interface FormReply {
  status: number
  statusText: string
  body: string
}

/** By XMLHttpRequest: fetch does not say how much of a body has left. */
function postForm(
  address: string,
  sid: string,
  file: File,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (sentBytes: number) => void },
): Promise<FormReply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open('POST', address)
    for (const [name, value] of Object.entries(clientHeaders(sid))) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onBytes(Math.min(loaded, file.size)))
    request.addEventListener('load', () =>
      resolve({ status: request.status, statusText: request.statusText, body: request.responseText }),
    )
    request.addEventListener('error', () => reject(new ApiFailure('ERR_NETWORK')))
    request.addEventListener('abort', () => reject(signal.reason))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    signal.addEventListener('abort', stop)
    const form = new FormData()
    form.append('data', file, file.name)
    request.send(form)
  })
}
