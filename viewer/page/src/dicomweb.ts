import { clientHeaders } from '@hilum/contract/client-headers'
import { addressOf } from '@hilum/contract/route'
import {
  retrieveFrames,
  retrieveSeriesMetadata,
  searchStudies,
  searchStudySeries,
} from '@hilum/contract/routes/dicomweb'
import { imageVideo } from '@hilum/contract/routes/storage-images'
import type { DicomObject } from './dicom-json.ts'
import { faultOfStatus, reasonOf, RequestError } from './request-error.ts'

const ANSWER_LIMIT_MS = 60_000

/** One study over DICOMweb (PS3.18 §10.4, §10.6). The sid travels in a header only, never in an address. */
export type StudySource = {
  /** Of every request: the client, its release and the session. */
  headers: Record<string, string>
  fetchStudy: () => Promise<DicomObject>
  listSeries: () => Promise<DicomObject[]>
  listInstances: (seriesUid: string) => Promise<DicomObject[]>
  /** The stream of a video, which is read by ranges. */
  videoAddress: (sopUid: string) => string
  frameAddress: (seriesUid: string, sopUid: string, frame: number) => string
  /** @throws RequestError */
  fetchBytes: (address: string, accept: string) => Promise<Response>
}

export function createStudySource(namespace: string, study: string, sid: string): StudySource {
  const headers = clientHeaders(sid)
  const list = (path: string) => fetchList(path, headers)
  return {
    headers,
    fetchStudy: async () => {
      const query = new URLSearchParams({ StudyInstanceUID: study })
      const found = await list(`${addressOf(searchStudies, { namespace })}?${query}`)
      if (found[0] === undefined) throw new RequestError('gone')
      return found[0]
    },
    listSeries: () => list(addressOf(searchStudySeries, { namespace, study })),
    listInstances: (series) => list(addressOf(retrieveSeriesMetadata, { namespace, study, series })),
    videoAddress: (imageUid) => addressOf(imageVideo, { namespace, studyUid: study, imageUid, version: '*' }),
    frameAddress: (series, instance, frame) =>
      location.origin + addressOf(retrieveFrames, { namespace, study, series, instance, '*': String(frame) }),
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
