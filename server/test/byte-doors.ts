import type { DicomwebFixture } from './dicomweb-fixture.ts'
import type { Member } from './storage-fixture.ts'

const explicit = '1.2.840.10008.1.2.1'
const jpegLs = '1.2.840.10008.1.2.4.80'
const dicomIn = (syntax: string) => `application/dicom; transfer-syntax=${syntax}`
const framesIn = (syntax: string) => `multipart/related; type="application/octet-stream"; transfer-syntax=${syntax}`

export type Door = readonly [address: string, accept?: string]

/** Doors through which the bytes of an image leave, or what was made of them. */
export function doorsOfBytes(
  server: Pick<DicomwebFixture, 'origin' | 'base'>,
  member: Member,
  names: { study: string; series: string; sop: string },
): Door[] {
  const wado = `${server.origin}/dicomweb/${member.namespace}/studies/${names.study}`
  const instance = `${wado}/series/${names.series}/instances/${names.sop}`
  const study = `${server.base}/study/${member.namespace}/${names.study}`
  const image = `${study}/image/${names.sop}/version/*`
  return [
    [instance, dicomIn('*')],
    [instance, dicomIn(explicit)],
    [instance, dicomIn(jpegLs)],
    [`${instance}/metadata`],
    [`${instance}/frames/1`, framesIn('*')],
    [`${instance}/frames/1`, framesIn(explicit)],
    [`${instance}/frames/1`, `multipart/related; type="image/jls"; transfer-syntax=${jpegLs}`],
    [`${instance}/rendered`, 'image/png'],
    [`${instance}/thumbnail`],
    [`${instance}/bulkdata/7FE00010`],
    [`${wado}/rendered`, 'multipart/related; type="image/jpeg"'],
    ...['', '/frame/0', '/frame/0/thumbnail', '/frame/0/diagnostic', '/json', '/attribute', '/phi'].map(
      (path): Door => [`${image}${path}`],
    ),
    [`${image}/video`],
    ...['dicom', `dicom&transfer_syntax=${explicit}`, 'iso', 'image'].map(
      (bundle): Door => [`${study}/download?bundle=${bundle}`],
    ),
  ]
}

/** Status, and the whole body. @throws when it is broken off */
export async function askDoor(member: Member, [address, accept = '*/*']: Door) {
  const reply = await fetch(address, { headers: { accept, authorization: `Bearer ${member.sid}` } })
  return { status: reply.status, body: Buffer.from(await reply.arrayBuffer()) }
}
