import type { HilumServer } from './hilum-server.ts'
import type { OrthancServer } from './orthanc-server.ts'

/** Where the same thing is asked for in both servers. */

export function uploadAddress(hilum: Pick<HilumServer, 'address' | 'namespace' | 'sid'>): string {
  return `${hilum.address}/api/v3/storage/namespace/${hilum.namespace}/image?sid=${hilum.sid}`
}

export function zipAddress(hilum: HilumServer, studyUid: string): string {
  const { address, namespace, sid } = hilum
  return `${address}/api/v3/storage/study/${namespace}/${studyUid}/download?bundle=dicom&phi_namespace=${namespace}&sid=${sid}`
}

export function thumbnailAddress(hilum: HilumServer, studyUid: string, sopUid: string): string {
  const { address, namespace, sid } = hilum
  return `${address}/api/v3/storage/study/${namespace}/${studyUid}/image/${sopUid}/version/*/frame/0/thumbnail?phi_namespace=${namespace}&sid=${sid}`
}

/** DICOMweb with its root and the headers that each server wants. */
export type Dicomweb = { root: string; headers: Record<string, string> }

export function dicomwebOf({ hilum, orthanc }: { hilum: HilumServer; orthanc: OrthancServer }) {
  const ours: Dicomweb = {
    root: `${hilum.address}/dicomweb/${hilum.namespace}`,
    headers: { authorization: `Bearer ${hilum.sid}` },
  }
  const peer: Dicomweb = { root: `${orthanc.address}/dicom-web`, headers: {} }
  return { ours, peer }
}
