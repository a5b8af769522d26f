import { createHash, randomBytes, randomInt } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listReferencedKeys } from '../server/src/areas/storage/instance.sql.ts'
import { sweepObjects } from '../server/src/areas/storage/sweep-objects.job.ts'
import { readConfig } from '../server/src/config.ts'
import { openLog } from '../server/src/log.ts'
import { openServices } from '../server/src/open-services.ts'
import { type KillableServer, startServer } from './killable-server.ts'

const KILLS = Number(process.env['HILUM_TEST_KILLS'] ?? 20)
const LANES = 6
const IMAGES_PER_STUDY = 40
const PASSWORD = 'kill-run-password-12'

type Image = { studyUid: string; sopUid: string; bytes: Uint8Array; sha256: string }
type Acknowledged = Omit<Image, 'bytes'> & { version: string }
type Schema = { series: { image_count: number; images: { id: string; version: string }[] }[] }

let folder: string
let server: KillableServer | undefined
let sid = ''
let namespace = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hilum-kills-'))
  await chmod(folder, 0o755)
})
afterAll(async () => {
  await server?.kill()
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  server = await startServer(folder, PASSWORD)
  if (sid === '')
    sid = (await call<{ sid: string }>('session/login', { login: 'clinician@northside.example', password: PASSWORD }))
      .sid
  const { namespaces } = await call<{ namespaces: { uuid: string }[] }>('session/user', { sid })
  namespace ||= namespaces[0]?.uuid ?? ''
}

async function call<Reply>(path: string, input: Record<string, string>): Promise<Reply> {
  const reply = await fetch(`${server?.address}/api/v3/${path}`, { method: 'POST', body: new URLSearchParams(input) })
  const body = (await reply.json()) as Reply
  expect([path, reply.status, reply.status === 200 ? '' : body]).toEqual([path, 200, ''])
  return body
}

const storageAddress = () => `${server?.address}/api/v3/storage`

function makeImage(studyUid: string, seriesUid: string, number: number): Image {
  const sopUid = newUid()
  const bytes = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopUid },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value: 'Kill^Run' },
    { tag: Tag.PatientID, vr: 'LO', value: 'K1' },
    { tag: Tag.InstanceNumber, vr: 'IS', value: String(number) },
    { tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(randomBytes(2 * randomInt(1000, 1_000_000))) },
  ])
  return { studyUid, sopUid, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Sends images over several lanes until the server is gone; gives what was acknowledged. */
async function uploadUntilKilled(): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = []
  const studyUid = newUid()
  const seriesUid = newUid()
  let number = 0
  let isGone = false
  const lane = async () => {
    while (!isGone && number < IMAGES_PER_STUDY) {
      number += 1
      const { bytes, ...image } = makeImage(studyUid, seriesUid, number)
      try {
        const body = new Uint8Array(bytes)
        const reply = await fetch(`${storageAddress()}/namespace/${namespace}/image?sid=${sid}`, {
          method: 'POST',
          body,
        })
        const { image_version: version } = (await reply.json()) as { image_version: string }
        expect(reply.status).toBe(202)
        acknowledged.push({ ...image, version })
      } catch (error) {
        // The connection ended with the server: this image was not acknowledged.
        if (!(error instanceof TypeError)) throw error
        isGone = true
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return acknowledged
}

async function readHash(studyUid: string, sopUid: string, version: string): Promise<string> {
  const reply = await fetch(
    `${storageAddress()}/study/${namespace}/${studyUid}/image/${sopUid}/version/${version}?sid=${sid}`,
  )
  if (reply.status !== 200) return `HTTP ${reply.status}`
  return createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex')
}

/** Every image that the study lists must be there whole, and the counts must be those of the list. */
async function findHalfListed(studyUid: string): Promise<string[]> {
  const reply = await fetch(`${storageAddress()}/study/${namespace}/${studyUid}/schema?sid=${sid}`)
  if (reply.status === 404) return []
  const faults: string[] = []
  let listed = 0
  for (const series of ((await reply.json()) as Schema).series) {
    listed += series.images.length
    if (series.image_count !== series.images.length)
      faults.push(`${studyUid} counts ${series.image_count}, lists ${series.images.length}`)
    for (const { id, version } of series.images) {
      const sha256 = await readHash(studyUid, id, version)
      if (!sha256.startsWith(version.replaceAll('-', ''))) faults.push(`${id} is listed and not whole: ${sha256}`)
    }
  }
  const study = await call<{ image_count: number }>('study/get', {
    sid,
    study_uid: studyUid,
    storage_namespace: namespace,
    phi_namespace: namespace,
  })
  if (study.image_count !== listed) faults.push(`${studyUid} says ${study.image_count} images, lists ${listed}`)
  return faults
}

it(`loses nothing that it acknowledged in ${KILLS} kills, and lists nothing by halves`, async () => {
  const acknowledged: Acknowledged[] = []
  await start()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const uploading = uploadUntilKilled()
    await new Promise((resolve) => setTimeout(resolve, randomInt(20, 700)))
    await server?.kill()
    const round = await uploading
    acknowledged.push(...round)
    await start()
    for (const { studyUid, sopUid, version, sha256 } of round)
      expect(await readHash(studyUid, sopUid, version)).toBe(sha256)
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS)
  for (const { studyUid, sopUid, version, sha256 } of acknowledged)
    expect(await readHash(studyUid, sopUid, version)).toBe(sha256)
  for (const studyUid of new Set(acknowledged.map((image) => image.studyUid)))
    expect(await findHalfListed(studyUid)).toEqual([])
  await server?.stop()
  expect(await sweepAndFindOrphans()).toEqual([])
}, 600_000)

/** Makes everything look two days old, sweeps, and lists the objects left that belong to nothing. */
async function sweepAndFindOrphans(): Promise<string[]> {
  const root = join(folder, 'objects')
  const listKeys = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)))
  }
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  for (const key of await listKeys()) await utimes(join(root, key), twoDaysAgo, twoDaysAgo)
  const { services, close } = await openServices(readConfig({ HILUM_DATA: folder }), openLog('silent'))
  try {
    await sweepObjects(services, new Date())
    const keys = await listKeys()
    const referenced = await listReferencedKeys(services.db, keys)
    return keys.filter((key) => !referenced.has(key))
  } finally {
    await close()
  }
}
