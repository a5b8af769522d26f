import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ListedStudy, listStudies, openSession } from './support/call.ts'
import { hasCorpus, listFiles, pickFromCorpus } from './support/corpus.ts'
import { hasOrthanc, type PeerPlace, startOrthanc } from './support/peers.ts'
import { startDemo } from './support/start-demo.ts'
import type { RunningServer } from './support/start-server.ts'

const place: PeerPlace = { folder: mkdtempSync(join(tmpdir(), 'hilum-judge-')), stops: [] }
let server: RunningServer
let orthanc: { address: string }
let sid: string
let studies: ListedStudy[]

/** Kinds of pixels: 8 and 16 bits, signed and not, colour, several frames; as they are and compressed without loss. */
const kinds = [
  'studies/cr-hip',
  'studies/mg-screening',
  'transfer-syntaxes/4.80_jpeg-ls-lossless_CT1.dcm',
  'transfer-syntaxes/4.70_jpeg-lossless-sv1_CT1.dcm',
]

beforeAll(async () => {
  if (!hasOrthanc || !hasCorpus) return
  server = await startDemo()
  orthanc = await startOrthanc(place)
  sid = await openSession(server.address, 'clinician')
  const [first] = await listStudies(server.address, sid)
  if (!first) throw new Error('The demo has no study')
  const picked = pickFromCorpus(kinds)
  for (const file of listFiles(picked.path)) {
    const address = `${server.address}/api/v3/storage/namespace/${first.phi_namespace}/image`
    const reply = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${sid}`, 'content-type': 'application/dicom' },
      body: readFileSync(file),
    })
    if (!reply.ok) throw new Error(`${file}: ${reply.status} ${await reply.text()}`)
  }
  picked.remove()
  studies = await listStudies(server.address, sid)
})
afterAll(async () => {
  for (const stop of place.stops.toReversed()) await stop()
  await server?.close()
  rmSync(place.folder, { recursive: true, force: true })
})

describe.skipIf(!hasOrthanc || !hasCorpus)('Orthanc as judge', () => {
  it('imports every study that we export as ZIP, with all its instances', async () => {
    expect(studies.length).toBeGreaterThan(6)
    for (const study of studies) {
      const zip = await ask(
        `/api/v3/storage/study/${study.storage_namespace}/${study.study_uid}/download?bundle=dicom&phi_namespace=${study.phi_namespace}`,
      )
      const reply = await fetch(`${orthanc.address}/instances`, { method: 'POST', body: await zip.arrayBuffer() })
      const imported = (await reply.json()) as { Status: string }[]
      expect(imported.filter(({ Status }) => Status !== 'Success')).toEqual([])
      expect(imported).toHaveLength(study.image_count)
    }
  })

  it('sees in every frame the pixels that we serve, value by value', async () => {
    const ids = (await (await fetch(`${orthanc.address}/instances`)).json()) as string[]
    let compared = 0
    for (const id of ids) {
      const tags = await readTags(id)
      const study = studies.find(({ study_uid }) => study_uid === tags.StudyInstanceUID)
      if (!study || !tags.Rows) continue
      // The first and the last frame: between them only offsets differ.
      const frames = Number(tags.NumberOfFrames ?? 1)
      for (const frame of new Set([1, frames])) {
        const ours = await readFrame(
          `/dicomweb/${study.phi_namespace}/studies/${tags.StudyInstanceUID}/series/${tags.SeriesInstanceUID}/instances/${tags.SOPInstanceUID}/frames/${frame}`,
        )
        const theirs = await readNumpy(`${orthanc.address}/instances/${id}/frames/${frame - 1}/numpy?rescale=false`)
        expect(ours.equals(theirs), `${tags.Modality} ${tags.SOPInstanceUID}, frame ${frame}`).toBe(true)
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(100)
  })
})

async function ask(path: string, accept = '*/*'): Promise<Response> {
  const reply = await fetch(`${server.address}${path}`, { headers: { authorization: `Bearer ${sid}`, accept } })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply
}

async function readTags(id: string): Promise<Record<string, string>> {
  const reply = await fetch(`${orthanc.address}/instances/${id}/simplified-tags`)
  return (await reply.json()) as Record<string, string>
}

/** One frame uncompressed, little endian. */
async function readFrame(path: string): Promise<Buffer> {
  const reply = await ask(
    path,
    'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1',
  )
  const body = Buffer.from(await reply.arrayBuffer())
  const start = body.indexOf('\r\n\r\n') + 4
  const boundary = /boundary="?([^";]+)/.exec(reply.headers.get('content-type') ?? '')?.[1] ?? ''
  return body.subarray(start, body.lastIndexOf(`\r\n--${boundary}`))
}

/** The values of a NumPy file of format 1.0: a header of text, whose length stands at byte 8, then the values in rows. */
async function readNumpy(address: string): Promise<Buffer> {
  const reply = await fetch(address)
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`)
  const file = Buffer.from(await reply.arrayBuffer())
  return file.subarray(10 + file.readUInt16LE(8))
}
