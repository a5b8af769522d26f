import { clientHeaders } from '@hilum/contract/client-headers'
import { addressOf } from '@hilum/contract/route'
import { studyDownload } from '@hilum/contract/routes/storage-acts'
import { ApiFailure } from './api-failure.ts'
import { toFailure } from './call-api.ts'
import { freshSid, reportRefused } from './credentials.ts'
import { withinWait } from './within-wait.ts'

interface StoredStudy {
  storage_namespace: string
  study_uid: string
}

/** Route parameters of a stored study in the storage API. */
export function namesOf({ storage_namespace, study_uid }: StoredStudy): { namespace: string; studyUid: string } {
  return { namespace: storage_namespace, studyUid: study_uid }
}

/**
 * Reads JSON of the storage API.
 * @param linkSid session of an opened link, in place of the person's own
 * @throws ApiFailure; the envelope of the storage API stands in its `data`
 */
export async function getStorage(address: string, signal: AbortSignal, linkSid?: string): Promise<unknown> {
  const sid = linkSid ?? (await freshSid())
  if (!sid) throw new ApiFailure('SID_NOT_FOUND', { message: 'SID not found in session' })
  let reply: Response
  let text: string
  try {
    const limited = withinWait(signal)
    reply = await fetch(address, { headers: clientHeaders(sid), credentials: 'same-origin', signal: limited })
    text = await reply.text()
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new ApiFailure('ERR_NETWORK', {}, { cause })
  }
  if (reply.ok) return JSON.parse(text)
  if (reply.status === 401) reportRefused(sid)
  throw toFailure(reply, text)
}

/**
 * Address of a study's ZIP with a DICOMDIR (DOWNLOAD-02). `sid` is a derived one: it stands in an address.
 * @param options.isAsReceived without the corrections of people
 * @param options.others further studies for the same ZIP, each in a folder of its own
 * @param options.jobId names it on the channel, which tells how far it is; of a link nobody follows it
 */
export function downloadAddress(
  study: StoredStudy & { phi_namespace: string },
  sid: string,
  { isAsReceived, jobId, others = [] }: { isAsReceived: boolean; jobId?: string; others?: readonly { uuid: string }[] },
): string {
  const { phi_namespace } = study
  const query = {
    bundle: 'dicom',
    phi_namespace,
    ...(jobId ? { job_id: jobId } : {}),
    ...(isAsReceived ? { as_received: '1' } : {}),
    ...(others.length > 0 ? { and_studies: others.map(({ uuid }) => uuid).join(',') } : {}),
  }
  return `${addressOf(studyDownload, namesOf(study), query)}&sid=${encodeURIComponent(sid)}`
}

/**
 * Asks whether a download would succeed, without its bytes.
 * @returns its length in bytes
 * @throws ApiFailure with the status of the refusal
 */
export async function checkDownload(address: string): Promise<number> {
  let reply: Response
  try {
    const signal = withinWait()
    reply = await fetch(address, { method: 'HEAD', headers: clientHeaders(), credentials: 'omit', signal })
  } catch (cause) {
    throw new ApiFailure('ERR_NETWORK', {}, { cause })
  }
  if (!reply.ok) throw toFailure(reply, undefined)
  return Number(reply.headers.get('content-length') ?? 0)
}
