import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Tag } from '@hilum/dicom/tags'
import { ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, it, vi } from 'vitest'
import { findOtherDoors } from '../../../test/image-doors.ts'
import { makeSources, type Place } from '../../../test/sources-fixture.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { buildApp } from '../http/app.ts'

const { services, folder, query } = await openTestServices()
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const { makePlace, send, share, stop, recordOf } = await makeSources({ services, query })

const call = async (path: string, sent: object) => {
  const reply = await fetch(`${origin}/api/v3/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  })
  return (await reply.json()) as Record<string, unknown> & { studies: (Record<string, unknown> & { uuid: string })[] }
}

/** Asks at every door, which all have to show these images and no `others`, which lie in sources that do not count. */
async function expectShown(
  reader: Place,
  from: readonly Place[],
  studyUid: string,
  images: readonly string[],
  others: readonly string[] = [],
) {
  const sops = images.map((one) => `${studyUid}.${one}`).sort()
  const candidates = [...images, ...others].map((one) => ({
    series: `${studyUid}.${one.replace(/\.\d+$/, '')}`,
    sop: `${studyUid}.${one}`,
  }))
  const places = { origin, ...reader, from: from.map((place) => place.namespace) }
  const { doors, others: wrong } = await findOtherDoors(places, studyUid, { sops, candidates })
  expect(wrong).toEqual([])
  expect(doors).toBeGreaterThan(25 + 30 * from.length)
}

it('shows the same images and counts of two sources at every door, the first source first where both have an image', async () => {
  const [sender, reader] = [await makePlace(), await makePlace()]
  const studyUid = newUid()
  const first = await send(sender, studyUid, 1, { from: 'sender' })
  await send(sender, studyUid, 2)
  await send(sender, studyUid, 1, { series: 2 })
  await share(sender, reader, studyUid)
  await expectShown(reader, [reader, sender], studyUid, ['1.1', '1.2', '2.1'])
  // a recipient who adds images keeps sight of what was shared with him
  await send(reader, studyUid, 1, { from: 'reader' })
  await send(reader, studyUid, 3)
  await send(reader, studyUid, 1, { series: 3 })
  await expectShown(reader, [reader, sender], studyUid, ['1.1', '1.2', '1.3', '2.1', '3.1'])
  await expectShown(sender, [sender], studyUid, ['1.1', '1.2', '2.1'], ['1.3', '3.1'])
  const address = `${origin}/api/v3/storage/study/${reader.namespace}/${studyUid}/image/${studyUid}.1.1/version/*`
  const shown = await fetch(`${address}?phi_namespace=${reader.namespace}&sid=${reader.sid}`)
  expect(Buffer.from(await shown.arrayBuffer()).equals(first)).toBe(true)
})

it('shows three sources, of which two hold one image in different series, and none that is stopped, over or gone', async () => {
  const [one, two, three, reader] = [await makePlace(), await makePlace(), await makePlace(), await makePlace()]
  const studyUid = newUid()
  for (const number of [1, 2]) await send(one, studyUid, number)
  for (const number of [2, 3]) await send(two, studyUid, number)
  // the same SOP Instance UID, in another series
  await send(two, studyUid, 1, { series: 2, more: [{ tag: Tag.SOPInstanceUID, vr: 'UI', value: `${studyUid}.1.1` }] })
  for (const number of [4, 5]) await send(three, studyUid, number)
  const shares = [
    await share(one, reader, studyUid),
    await share(two, reader, studyUid),
    await share(three, reader, studyUid),
  ]
  const all = [reader, one, two, three]
  const places = (...live: Place[]) => [reader, ...all.filter((place) => live.includes(place))]
  await expectShown(reader, places(one, two, three), studyUid, ['1.1', '1.2', '1.3', '1.4', '1.5'])
  // shared twice is shown once
  await share(one, reader, studyUid)
  await expectShown(reader, places(one), studyUid, ['1.1', '1.2', '1.3', '1.4', '1.5'])
  await stop(shares[2] as string)
  await expectShown(reader, places(two), studyUid, ['1.1', '1.2', '1.3'], ['1.4', '1.5'])
  await query(`update share set expires_at = now() - interval '1 second' where uuid = '${shares[1]}'`)
  await expectShown(reader, places(one), studyUid, ['1.1', '1.2'], ['1.3', '1.4'])
  const gone = `${origin}/api/v3/storage/study/${three.namespace}/${studyUid}/schema?sid=${reader.sid}`
  expect((await fetch(gone)).status).toBe(403)
})

it('shows what was shared of a study that its sender deleted, and nothing that came there afterwards', async () => {
  const [sender, reader] = [await makePlace(), await makePlace()]
  const studyUid = newUid()
  for (const number of [1, 2]) await send(sender, studyUid, number)
  await send(reader, studyUid, 5)
  await share(sender, reader, studyUid)
  const { studies } = await call('study/list', { sid: sender.sid, 'filter.study_uid.equals': studyUid })
  expect(await call('study/delete', { sid: sender.sid, uuid: studies[0]?.uuid })).toEqual({ status: 'OK' })
  await send(sender, studyUid, 3)
  await expectShown(reader, [reader, sender], studyUid, ['1.1', '1.2', '1.5'], ['1.3'])
  await expectShown(sender, [sender], studyUid, ['1.3'], ['1.1', '1.5'])
  // a later share of what is there today is one more source
  await share(sender, reader, studyUid)
  await expectShown(reader, [reader, sender], studyUid, ['1.1', '1.2', '1.3', '1.5'])
  await send(sender, studyUid, 4)
  await expectShown(reader, [reader, sender], studyUid, ['1.1', '1.2', '1.3', '1.4', '1.5'])
})

it('changes metadata, archive and entity tags with each source, and corrects the images of all of them', async () => {
  const [sender, reader] = [await makePlace(), await makePlace()]
  const studyUid = newUid()
  await send(reader, studyUid, 1)
  const study = `${origin}/dicomweb/${reader.namespace}/studies/${studyUid}`
  const ask = async (address: string) => {
    const reply = await fetch(address, { headers: { authorization: `Bearer ${reader.sid}` } })
    const body = Buffer.from(await reply.arrayBuffer())
    return { tag: reply.headers.get('etag'), digest: createHash('sha256').update(body).digest('hex'), body }
  }
  const own = `${origin}/api/v3/storage/study/${reader.namespace}/${studyUid}`
  const tags = async () => [
    (await ask(`${study}/metadata`)).tag,
    (await ask(`${own}/download?bundle=dicom`)).tag,
    (await ask(`${own.replace('/study/', '/dicomweb/').replace(studyUid, `studies/${studyUid}`)}/metadata`)).tag,
  ]
  const seen: (string | null)[][] = [await tags()]
  await send(sender, studyUid, 2)
  const shared = await share(sender, reader, studyUid)
  seen.push(await tags())
  await send(sender, studyUid, 3)
  seen.push(await tags())
  const { studies } = await call('study/list', { sid: reader.sid, 'filter.study_uid.equals': studyUid })
  const set = { sid: reader.sid, uuid: studies[0]?.uuid, study_description: 'Corrected' }
  expect(await call('study/set', set)).toMatchObject({ status: 'OK' })
  seen.push(await tags())
  const described = JSON.parse((await ask(`${study}/metadata`)).body.toString()) as Record<
    string,
    { Value: string[] }
  >[]
  expect(described.map((one) => one['00081030']?.Value[0])).toEqual(['Corrected', 'Corrected', 'Corrected'])
  // the sender's record says of the same images what it said
  const other = await fetch(`${origin}/dicomweb/${sender.namespace}/studies/${studyUid}/metadata?sid=${sender.sid}`, {
    headers: { authorization: `Bearer ${sender.sid}` },
  })
  expect(JSON.stringify(await other.json())).not.toContain('Corrected')
  await stop(shared)
  seen.push(await tags())
  for (const index of [0, 1, 2]) {
    const own = seen.map((one) => one[index])
    expect(own).not.toContain(null)
    expect(new Set(own).size).toBe(own.length)
  }
})

const explicit = '1.2.840.10008.1.2.1'
const archive = (query: string) => (place: string, reader: string, studyUid: string) =>
  `/api/v3/storage/study/${place}/${studyUid}/download?${query}&phi_namespace=${reader}`
const wado = (_: string, reader: string, studyUid: string) => `/dicomweb/${reader}/studies/${studyUid}`

it.each([
  ['an archive', archive('bundle=dicom')],
  ['an archive in named folders', archive('bundle=dicom&roche_directory=1')],
  ['an archive without folders', archive('bundle=dicom&flat_directory=1')],
  ['a disc', archive('bundle=iso')],
  ['pictures', archive('bundle=image')],
  ['an archive in another transfer syntax', archive(`bundle=dicom&transfer_syntax=${explicit}`)],
  ['WADO-RS', wado],
])('ends the download of %s when a source of it goes away', async (_name, pathOf) => {
  const { reader, studyUid, shared } = await makeLarge()
  const finish = await beginDownload(reader, studyUid, pathOf)
  await stop(shared)
  expect(await finish()).toBe('cut')
  await expectShown(reader, [reader], studyUid, ['1.1'], ['1.2'])
})

it.each(['study of the address', 'further study'])(
  'ends the download of several studies when a source of the %s goes away',
  async (which) => {
    const { reader, studyUid, shared } = await makeLarge()
    const other = newUid()
    await send(reader, other, 1)
    const [named, more] = which === 'further study' ? [other, studyUid] : [studyUid, other]
    const and = await recordOf(reader, more)
    const finish = await beginDownload(reader, named, (_, namespace) =>
      archive(`bundle=dicom&and_studies=${and}`)(namespace, namespace, named),
    )
    await stop(shared)
    expect(await finish()).toBe('cut')
  },
)

/** A record with an image of its own, and two of a share that are more than the buffers of a connection hold. */
async function makeLarge() {
  const [sender, reader] = [await makePlace(), await makePlace()]
  const studyUid = newUid()
  await send(reader, studyUid, 1)
  for (const number of [2, 3])
    await send(sender, studyUid, number, { frames: 40_000, transferSyntax: ImplicitLittleEndian })
  return { reader, studyUid, shared: await share(sender, reader, studyUid) }
}

it('[SHARE-04] shows what was shared at every door, and ends a download when sharing is stopped', async () => {
  const [sender, reader] = [await makePlace(), await makePlace()]
  const studyUid = newUid()
  await send(sender, studyUid, 1)
  const { studies } = await call('study/list', { sid: sender.sid, 'filter.study_uid.equals': studyUid })
  const to = { sid: sender.sid, uuid: studies[0]?.uuid, group_id: reader.groupUuid }
  expect(await call('study/share', to)).toMatchObject({ status: 'OK' })
  // a late image is shown as well
  await send(sender, studyUid, 2)
  await expectShown(reader, [sender], studyUid, ['1.1', '1.2'])
  for (const number of [3, 4]) await send(sender, studyUid, number, { frames: 40_000 })
  const finish = await beginDownload(reader, studyUid)
  expect(await call('study/share/stop', to)).toEqual({ status: 'OK' })
  expect(await finish()).toBe('cut')
  for (const place of [sender, reader]) {
    const address = `${origin}/api/v3/storage/study/${place.namespace}/${studyUid}`
    const more = `sid=${reader.sid}&phi_namespace=${reader.namespace}`
    for (const door of ['schema', `image/${studyUid}.1.1/version/*`, 'download'])
      expect((await fetch(`${address}/${door}?bundle=dicom&${more}`)).status).toBeGreaterThanOrEqual(400)
  }
  // searched for, it is not there any more
  const found = await fetch(`${origin}/dicomweb/studies?StudyInstanceUID=${studyUid}`, {
    headers: { authorization: `Bearer ${reader.sid}` },
  })
  expect([204, 404]).toContain(found.status === 200 && (await found.text()) === '[]' ? 204 : found.status)
})

/** Begins a download that nobody reads on, so that most of the archive is still to come; gives how it ends once access has gone. */
async function beginDownload(reader: Place, studyUid: string, pathOf = archive('bundle=dicom')) {
  const path = pathOf(String(await storageOf(reader, studyUid)), reader.namespace, studyUid)
  const headers = {
    accept: 'multipart/related; type="application/dicom"; transfer-syntax=*',
    authorization: `Bearer ${reader.sid}`,
  }
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(`${origin}${path}`, { headers }, resolve).once('error', reject)
  })
  expect(reply.statusCode).toBe(200)
  await once(reply, 'readable')
  const outcome = new Promise<string>((resolve) => {
    reply.once('end', () => resolve('whole')).once('error', () => resolve('cut'))
  })
  return async () => {
    await vi.waitFor(() => expect(services.access.count(reader.userUuid)).toBe(0), { timeout: 20_000 })
    reply.resume()
    return outcome
  }
}

async function storageOf({ sid }: Place, studyUid: string) {
  const { studies } = await call('study/list', { sid, 'filter.study_uid.equals': studyUid })
  return studies[0]?.['storage_namespace']
}

it('shows nothing of a record, whatever its sources, to a person who may not see it', async () => {
  const [sender, reader, stranger] = [await makePlace(), await makePlace(), await makePlace()]
  const studyUid = newUid()
  await send(sender, studyUid, 1)
  await share(sender, reader, studyUid)
  await send(reader, studyUid, 2)
  for (const place of [sender, reader]) {
    for (const phi of ['', `phi_namespace=${reader.namespace}`, `phi_namespace=${stranger.namespace}`]) {
      const address = `${origin}/api/v3/storage/study/${place.namespace}/${studyUid}/schema?sid=${stranger.sid}&${phi}`
      expect([403, 404]).toContain((await fetch(address)).status)
    }
    const web = await fetch(`${origin}/dicomweb/${place.namespace}/studies/${studyUid}/metadata`, {
      headers: { authorization: `Bearer ${stranger.sid}` },
    })
    expect(web.status).toBe(404)
  }
  // the sender sees nothing of what the recipient added, by no address
  for (const place of [sender, reader]) {
    const address = `${origin}/api/v3/storage/study/${place.namespace}/${studyUid}`
    const image = await fetch(`${address}/image/${studyUid}.1.2/version/*?sid=${sender.sid}`)
    expect(image.status).toBeGreaterThanOrEqual(400)
  }
})
