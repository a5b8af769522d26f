import type { DicomObject } from './dicom-json.ts'

/** Why nothing came, for a sentence on the screen. */
export type RequestFault = 'ended' | 'gone' | 'unreachable' | 'failed'

export class RequestError extends Error {
  readonly fault: RequestFault
  constructor(fault: RequestFault, cause?: unknown) {
    super(`request ${fault}`, { cause })
    this.fault = fault
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
  authorization: string
  fetchStudy: () => Promise<DicomObject>
  listSeries: () => Promise<DicomObject[]>
  listInstances: (seriesUid: string) => Promise<DicomObject[]>
  frameAddress: (seriesUid: string, sopUid: string, frame: number) => string
}

export function createStudySource(root: string, studyUid: string, sid: string): StudySource {
  const authorization = `Bearer ${sid}`
  const study = `${root}/studies/${encodeURIComponent(studyUid)}`
  const list = (path: string) => fetchList(path, authorization)
  return {
    root,
    authorization,
    fetchStudy: async () => {
      const found = await list(`${root}/studies?StudyInstanceUID=${encodeURIComponent(studyUid)}`)
      if (found[0] === undefined) throw new RequestError('gone')
      return found[0]
    },
    listSeries: () => list(`${study}/series`),
    listInstances: (seriesUid) => list(`${study}/series/${encodeURIComponent(seriesUid)}/metadata`),
    frameAddress: (seriesUid, sopUid, frame) =>
      `${location.origin}${study}/series/${encodeURIComponent(seriesUid)}/instances/${encodeURIComponent(sopUid)}/frames/${frame}`,
  }
}

async function fetchList(path: string, authorization: string): Promise<DicomObject[]> {
  const response = await fetch(path, {
    headers: { accept: 'application/dicom+json', authorization },
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    credentials: 'omit',
    cache: 'no-store',
  }).catch((cause: unknown) => {
    throw new RequestError('unreachable', cause)
  })
  // An empty result of a search is 204 (PS3.18 §8.3.4.4).
  if (response.status === 204) return []
  if (!response.ok) throw new RequestError(faultOfStatus(response.status))
  const answer: unknown = await response.json().catch((cause: unknown) => {
    throw new RequestError('failed', cause)
  })
  if (!Array.isArray(answer)) throw new RequestError('failed')
  return answer as DicomObject[] // our own server's answer; every value is read through dicom-json.ts, which checks it
}
