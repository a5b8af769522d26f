import { clientHeaders } from '@hilum/contract/client-headers'
import type { DicomObject } from './dicom-json.ts'

/** Why nothing came, for a sentence on the screen. */
type RequestFault = 'ended' | 'gone' | 'unreachable' | 'failed'

export class RequestError extends Error {
  readonly fault: RequestFault
  /** Why the server gives no picture, in its words for people. */
  readonly reason: string | undefined
  constructor(fault: RequestFault, cause?: unknown, reason?: string) {
    super(`request ${fault}`, { cause })
    this.fault = fault
    this.reason = reason
  }
}

export function faultOfStatus(status: number): RequestFault {
  if (status === 401 || status === 403) return 'ended'
  return status === 404 || status === 410 ? 'gone' : 'failed'
}

const ANSWER_LIMIT_MS = 60_000

/** One study over DICOMweb (PS3.18 §10.4, §10.6). The sid travels in a header only, never in an address. */
export type StudySource = {
  root: string
  /** Of every request: the client, its release and the session. */
  headers: Record<string, string>
  fetchStudy: () => Promise<DicomObject>
  listSeries: () => Promise<DicomObject[]>
  listInstances: (seriesUid: string) => Promise<DicomObject[]>
  frameAddress: (seriesUid: string, sopUid: string, frame: number) => string
  /** @throws RequestError */
  fetchBytes: (address: string, accept: string) => Promise<Response>
}

export function createStudySource(root: string, studyUid: string, sid: string): StudySource {
  const headers = clientHeaders(sid)
  const study = `${root}/studies/${encodeURIComponent(studyUid)}`
  const list = (path: string) => fetchList(path, headers)
  return {
    root,
    headers,
    fetchStudy: async () => {
      const found = await list(`${root}/studies?StudyInstanceUID=${encodeURIComponent(studyUid)}`)
      if (found[0] === undefined) throw new RequestError('gone')
      return found[0]
    },
    listSeries: () => list(`${study}/series`),
    listInstances: (seriesUid) => list(`${study}/series/${encodeURIComponent(seriesUid)}/metadata`),
    frameAddress: (seriesUid, sopUid, frame) =>
      `${location.origin}${study}/series/${encodeURIComponent(seriesUid)}/instances/${encodeURIComponent(sopUid)}/frames/${frame}`,
    fetchBytes: (address, accept) => fetchWell(address, accept, headers),
  }
}

async function fetchWell(path: string, accept: string, common: Record<string, string>): Promise<Response> {
  const response = await fetch(path, {
    headers: { ...common, accept },
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    credentials: 'omit',
    cache: 'no-store',
  }).catch((cause: unknown) => {
    throw new RequestError('unreachable', cause)
  })
  if (!response.ok) throw new RequestError(faultOfStatus(response.status), undefined, await reasonOf(response))
  return response
}

/** The server's words for an image without a picture. */
export async function reasonOf(response: Response): Promise<string | undefined> {
  if (response.status !== 406) return undefined
  const answer: unknown = await response.json().catch(() => undefined)
  const isExplained = typeof answer === 'object' && answer !== null && 'error' in answer
  return isExplained && typeof answer.error === 'string' ? answer.error : undefined
}

async function fetchList(path: string, common: Record<string, string>): Promise<DicomObject[]> {
  const response = await fetchWell(path, 'application/dicom+json', common)
  // An empty result of a search is 204 (PS3.18 §8.3.4.4).
  if (response.status === 204) return []
  const answer: unknown = await response.json().catch((cause: unknown) => {
    throw new RequestError('failed', cause)
  })
  if (!Array.isArray(answer)) throw new RequestError('failed')
  return answer as DicomObject[] // our own server's answer; every value is read through dicom-json.ts, which checks it
}
