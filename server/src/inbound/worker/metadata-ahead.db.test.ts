import { readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import type { Group, Person } from '../../../test/make-organisation.ts'
import { makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'
import { writeMetadata } from '../../areas/dicomweb/write-metadata.job.ts'
import { jobs } from '../../areas/jobs.ts'
import { startRunner } from './run-work.ts'

/** Metadata of series that settled: written by the queue, so that no image is opened for whoever asks. */

const { services, app, call, query } = await startTestApp({ HILUM_PUBLIC_URL: 'http://images.example.org' })
// whatever room the disk of this machine has
services.disk.look = async () => ({ level: 'ample', freeBytes: 2, totalBytes: 2, reserveBytes: 1 })
const runner = await startRunner(
  services,
  jobs.filter(({ name }) => name === 'write-metadata'),
  { pollMs: 20 },
)
afterAll(() => runner.stop())
const { organisation, share, received } = await makeSharing({ services, call })

/** Objects that were read since the last look. */
const opened = new Set<string>()
const { read } = services.store
services.store.read = (key, offset, length) => {
  opened.add(key)
  return read(key, offset, length)
}

type Place = { group: Group; person: Person; sid: string; namespace: string }
async function makePlace(): Promise<Place> {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  return { group, person, sid: person.sid, namespace: group.namespaceUuid }
}

async function upload(
  { sid, namespace }: Place,
  studyUid: string,
  numbers: readonly number[],
  series = 1,
): Promise<void> {
  for (const number of numbers) {
    const reply = await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${namespace}/image?sid=${sid}`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from(madeImage({ studyUid, number, series, patientId: studyUid.slice(-12) })),
    })
    expect(reply.statusCode).toBe(202)
  }
}

/** No image comes any more, and the queue has done what follows. */
async function settle(): Promise<void> {
  await completeQuietStudies(services, new Date(Date.now() + 200_000))
  await vi.waitFor(async () => expect(await query(`select job from work where job = 'write-metadata'`)).toEqual([]), {
    timeout: 30_000,
    interval: 30,
  })
  opened.clear()
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

type Instance = Record<string, { Value?: unknown[]; BulkDataURI?: string }>
async function ask({ sid, namespace }: Place, studyUid: string, { series = true, host = 'images.example.org' } = {}) {
  const base = `/dicomweb/${namespace}/studies/${studyUid}`
  const headers = { authorization: `Bearer ${sid}`, host }
  const found = (await app.inject({ url: `${base}/series`, headers })).json<Instance[]>()
  const path = series ? `/series/${String(found[0]?.['0020000E']?.Value?.[0])}` : ''
  const reply = await app.inject({ url: `${base}${path}/metadata`, headers })
  expect(reply.statusCode).toBe(200)
  return reply.json<Instance[]>()
}
const numbersOf = (told: readonly Instance[]) => told.map((one) => one['00200013']?.Value?.[0])
const cacheOf = (namespace: string) => join(services.config.dataFolder, 'cache', 'metadata', namespace)

async function makeSettled(): Promise<Place & { studyUid: string; uuid: string }> {
  const place = await makePlace()
  const studyUid = newUid()
  await upload(place, studyUid, upTo(33))
  await settle()
  const uuid = (await received(place, studyUid))?.uuid ?? ''
  return { ...place, studyUid, uuid }
}

describe('metadata of a series that settled', () => {
  it('opens no image for the first who asks, for other addresses, or for the study', async () => {
    const { studyUid, ...place } = await makeSettled()
    const told = await ask(place, studyUid)
    const elsewhere = await ask(place, studyUid, { host: 'other.example.org:8080' })
    const whole = await ask(place, studyUid, { series: false })
    expect([...opened]).toEqual([])
    expect(numbersOf(told)).toEqual(upTo(33))
    expect(elsewhere[5]?.['7FE00010']?.BulkDataURI).toMatch(/^http:\/\/other\.example\.org:8080\/dicomweb\//)
    expect(whole).toEqual(told)
    // as somebody is told who asks with nothing written ahead
    await rm(cacheOf(place.namespace), { recursive: true })
    expect(await ask(place, studyUid, { host: 'other.example.org:8080' })).toEqual(elsewhere)
    expect(await ask(place, studyUid)).toEqual(told)
    expect(opened.size).toBeGreaterThan(0)
  })

  it('grows with late images: they alone are opened, and none once they settled', async () => {
    const { studyUid, ...place } = await makeSettled()
    await upload(place, studyUid, [34, 35])
    opened.clear()
    expect(numbersOf(await ask(place, studyUid))).toEqual(upTo(35))
    expect(opened.size).toBe(2)
    await upload(place, studyUid, [0, 36])
    await settle()
    expect(numbersOf(await ask(place, studyUid))).toEqual(upTo(37, 0))
    expect(opened.size).toBe(0)
  })

  it('tells a correction, written ahead again', async () => {
    const { studyUid, uuid, ...place } = await makeSettled()
    expect((await call('study/set', { sid: place.sid, uuid, patient_name: 'CORRECTED^NAME' })).body).toMatchObject({
      status: 'OK',
    })
    await settle()
    const told = await ask(place, studyUid)
    expect(opened.size).toBe(0)
    expect(told.map((one) => one['00100010']?.Value?.[0])).toEqual(
      upTo(33).map(() => expect.objectContaining({ Alphabetic: 'CORRECTED^NAME' })),
    )
  })

  it('is written for whom the exam was shared with, with late images of its sender', async () => {
    const { studyUid, uuid, ...place } = await makeSettled()
    const other = await makePlace()
    expect(await share(place.sid, { uuid, group_id: other.group.groupUuid })).toMatchObject({ status: 'OK' })
    await settle()
    const given = await ask(other, studyUid)
    expect([numbersOf(given), opened.size]).toEqual([upTo(33), 0])
    expect(given[0]?.['7FE00010']?.BulkDataURI).toContain(`/dicomweb/${other.namespace}/studies/`)
    await upload(place, studyUid, [34])
    await settle()
    expect([numbersOf(await ask(other, studyUid)), opened.size]).toEqual([upTo(34), 0])
  })

  it('is written for the series of every source of an exam', async () => {
    const { studyUid, uuid, ...place } = await makeSettled()
    const other = await makePlace()
    await upload(other, studyUid, upTo(34), 2)
    expect(await share(place.sid, { uuid, group_id: other.group.groupUuid })).toMatchObject({ status: 'OK' })
    await settle()
    expect((await ask(other, studyUid, { series: false })).length).toBe(67)
    expect(opened.size).toBe(0)
  })

  it('is not written for a few images, which are told as quickly', async () => {
    const place = await makePlace()
    const studyUid = newUid()
    await upload(place, studyUid, upTo(3))
    await settle()
    expect(await readdir(cacheOf(place.namespace)).catch(() => 'none')).toBe('none')
    expect(numbersOf(await ask(place, studyUid))).toEqual(upTo(3))
  })

  it('is whole after a run that broke off, and with a file that was cut off', async () => {
    const { studyUid, uuid, ...place } = await makeSettled()
    const folder = join(cacheOf(place.namespace), uuid)
    await rm(folder, { recursive: true })
    const whole = services.store.read
    let left = 20
    services.store.read = (...asked) => (left-- > 0 ? whole(...asked) : Promise.reject(new Error('broken off')))
    const run = { work: '', signal: new AbortController().signal }
    await expect(writeMetadata(services, { studyUuid: uuid }, run)).rejects.toThrow('broken off')
    services.store.read = whole
    expect(await readdir(folder)).toEqual([])
    await writeMetadata(services, { studyUuid: uuid }, run)
    opened.clear()
    expect([numbersOf(await ask(place, studyUid)), opened.size]).toEqual([upTo(33), 0])
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.gz'))
    await truncate(join(folder, file), 700)
    const told = await ask(place, studyUid, { host: 'other.example.org' })
    expect(numbersOf(told)).toEqual(upTo(33))
    expect(opened.size).toBeGreaterThan(0)
  })

  it('leaves nothing behind of a record that goes while it is written', async () => {
    const { studyUid, uuid, ...place } = await makeSettled()
    await upload(place, studyUid, [34])
    const whole = services.store.read
    services.store.read = async (...asked) => {
      await query(`delete from study_source where study_uuid = '${uuid}'`)
      return whole(...asked)
    }
    await writeMetadata(services, { studyUuid: uuid }, { work: '', signal: new AbortController().signal })
    services.store.read = whole
    expect(await readdir(join(cacheOf(place.namespace), uuid)).catch(() => 'none')).toBe('none')
  })
})
