import { ApiFailure } from './api-failure.ts'
import { toFailure } from './call-api.ts'
import { getSid, reportRefused } from './credentials.ts'

interface StoredStudy {
  storage_namespace: string
  study_uid: string
}

/** Where a stored study lies in the storage API of this host. */
export function storagePath({ storage_namespace, study_uid }: StoredStudy): string {
  return `/api/v3/storage/study/${encodeURIComponent(storage_namespace)}/${encodeURIComponent(study_uid)}`
}

/**
 * Reads JSON of the storage API.
 * @throws ApiFailure; the envelope of the storage API stands in its `data`
 */
export async function getStorage(address: string, signal: AbortSignal): Promise<unknown> {
  const sid = getSid()
  if (!sid) throw new ApiFailure('SID_NOT_FOUND', { message: 'SID not found in session' })
  let reply: Response
  try {
    reply = await fetch(address, { headers: { authorization: `Bearer ${sid}` }, credentials: 'same-origin', signal })
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new ApiFailure('ERR_NETWORK', {}, { cause })
  }
  if (reply.ok) return reply.json()
  if (reply.status === 401) reportRefused(sid)
  throw toFailure(reply, await reply.text())
}

/**
 * Address of a study's ZIP with a DICOMDIR (DOWNLOAD-02). `sid` is a derived one: it stands in an address.
 * @param options.isAsReceived without the corrections of people
 * @param options.jobId names it on the channel, which tells how far it is
 */
export function downloadAddress(
  study: StoredStudy & { phi_namespace: string },
  sid: string,
  { isAsReceived, jobId }: { isAsReceived: boolean; jobId: string },
): string {
  const query = new URLSearchParams({ bundle: 'dicom', phi_namespace: study.phi_namespace, sid, job_id: jobId })
  if (isAsReceived) query.set('as_received', '1')
  return `${storagePath(study)}/download?${query.toString()}`
}

/**
 * Asks whether a download would succeed, without its bytes.
 * @returns its length in bytes
 * @throws ApiFailure with the status of the refusal
 */
export async function checkDownload(address: string): Promise<number> {
  let reply: Response
  try {
    reply = await fetch(address, { method: 'HEAD', credentials: 'omit' })
  } catch (cause) {
    throw new ApiFailure('ERR_NETWORK', {}, { cause })
  }
  if (!reply.ok) throw toFailure(reply, undefined)
  return Number(reply.headers.get('content-length') ?? 0)
}
