import type { AddressInfo } from 'node:net'
import { defaultListenerLimits } from '@hilum/dicom/dimse/listener'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { multipartOf } from '../../test/dicomweb-fixture.ts'
import { madeImage } from '../../test/made-image.ts'
import { makeOrganisation } from '../../test/make-organisation.ts'
import { openTestServices } from '../../test/test-services.ts'
import { aeTitleSetting } from '../areas/node/peer-rules.ts'
import { putSetting } from '../areas/setting/setting.sql.ts'
import { completeQuietStudies } from '../areas/ingest/complete-study.command.ts'
import { deleteRecordForGood } from '../areas/retention/purge.sql.ts'
import { sayReady } from '../areas/ingest/say-ready.command.ts'
import { tellOfHarvest } from '../areas/user/tell-of-harvest.job.ts'
import { sendInstances } from '../outbound/pacs/send-instances.ts'
import { openDicomListener } from './dimse/open-dicom-listener.ts'
import { buildApp } from './http/app.ts'

const { services, folder, query } = await openTestServices({ HILUM_DICOM_PORT: '0' })
const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
await app.listen({ host: '127.0.0.1', port: 0 })
const listeners = await openDicomListener(services, defaultListenerLimits)
afterAll(async () => {
  await listeners.close()
  await app.close()
})
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const organisation = await makeOrganisation(services.db)

async function makePlace() {
  const group = await organisation.addGroup()
  const { sid, email, namespaceUuid: own } = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  return { sid, email, own, namespace: group.namespaceUuid }
}
type Place = Awaited<ReturnType<typeof makePlace>>

const call = async (path: string, sent: object) =>
  (
    await fetch(`${origin}/api/v3/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
  ).json() as Promise<{ status: string; uuid: string }>

async function post({ sid, namespace }: Place, studyUid: string, number: number) {
  const address = `${origin}/api/v3/storage/namespace/${namespace}/image?sid=${sid}`
  const body = new Uint8Array(madeImage({ studyUid, number }))
  expect((await fetch(address, { method: 'POST', body })).status).toBe(202)
}

type Door = (place: Place, studyUid: string, number: number) => Promise<void>
const doors: Record<string, Door> = {
  'an image by POST': post,
  'an image announced by study/add': async (place, studyUid, number) => {
    const { sid, namespace } = place
    await call('study/add', { sid, study_uid: studyUid, storage_namespace: namespace, phi_namespace: namespace })
    await post(place, studyUid, number)
  },
  'STOW-RS': async ({ sid, namespace }, studyUid, number) => {
    const reply = await fetch(`${origin}/dicomweb/${namespace}/studies`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sid}`,
        'content-type': 'multipart/related; type="application/dicom"; boundary="b"',
      },
      body: new Uint8Array(multipartOf([madeImage({ studyUid, number })], 'b')),
    })
    expect(reply.status).toBe(200)
  },
  'C-STORE': async ({ namespace }, studyUid, number) => {
    const title = `NODE_${namespace.slice(0, 8)}`
    await putSetting(services.db, 'namespace', namespace, aeTitleSetting, title)
    const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: title, callingTitle: 'CT_ROOM_1' }
    const bytes = madeImage({ studyUid, number })
    const open = async function* () {
      yield bytes
    }
    const names = {
      sopClass: '1.2.840.10008.5.1.4.1.1.7',
      sopInstance: `${studyUid}.1.${number}`,
      transferSyntax: ExplicitLittleEndian,
    }
    const useFile = () => Promise.reject(new Error('Nothing is decoded here'))
    const outgoing = { ...names, open, useFile }
    const sent = await sendInstances(peer, [outgoing], { render: services.render })
    expect(sent.map(({ kind }) => kind)).toEqual(['stored'])
  },
  'a picture made into an image': async ({ sid, namespace }, studyUid, number) => {
    const form = new FormData()
    const background = { r: number, g: 0, b: 0 }
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .jpeg()
      .toBuffer()
    form.append('file', new Blob([new Uint8Array(picture)]), `${number}.jpg`)
    form.append('tags', JSON.stringify({ StudyInstanceUID: studyUid, PatientName: 'Made^Up', PatientID: 'M1' }))
    const address = `${origin}/api/v3/storage/namespace/${namespace}/wrap?sid=${sid}`
    const headers = { 'x-file-size': String(picture.length) }
    expect((await fetch(address, { method: 'POST', body: form, headers })).status).toBe(202)
  },
}

const quiet = (seconds = 95) => completeQuietStudies(services, new Date(Date.now() + seconds * 1_000))

type Line = { number: number; reason: string; images: number }
const linesOf = ({ namespace }: Place) =>
  query<Line>(`select number, reason, images from study_ready where phi_namespace = '${namespace}' order by number`)
const readyEvents = async ({ namespace }: Place) =>
  (await query(`select from event where kind = 'ready' and namespace_uuid = '${namespace}'`)).length
const recordOf = async ({ namespace }: Place) => {
  const [row] = await query<{ phi_namespace: string; uuid: string }>(
    `select phi_namespace, uuid from study where phi_namespace = '${namespace}' and deleted_at is null`,
  )
  if (!row) throw new Error('There is no study.')
  return row
}

test.each(Object.entries(doors))(
  'by %s a study is ready once for what came, however often that is said, and again for late images',
  async (_, send) => {
    const place = await makePlace()
    const studyUid = newUid()
    await send(place, studyUid, 1)
    await send(place, studyUid, 2)
    expect(await linesOf(place)).toEqual([])
    await quiet()
    await quiet(96)
    const first = { number: 1, reason: 'quiet', images: 2 }
    expect(await linesOf(place)).toEqual([first])
    // an image that is there already is no arrival
    await send(place, studyUid, 2)
    await quiet(200)
    const uuid = (await recordOf(place)).uuid
    expect(await call('study/sync', { sid: place.sid, uuid, image_count: '2' })).toMatchObject({ status: 'OK' })
    expect(await linesOf(place)).toEqual([first])
    await send(place, studyUid, 3)
    expect(await linesOf(place)).toEqual([first])
    expect(await call('study/sync', { sid: place.sid, uuid, image_count: '3' })).toMatchObject({ status: 'OK' })
    await quiet(300)
    expect(await linesOf(place)).toEqual([first, { number: 2, reason: 'synced', images: 1 }])
    expect(await readyEvents(place)).toBe(2)
  },
)

test('a study that was announced and got no image is never ready, whoever says so', async () => {
  const place = await makePlace()
  const { sid, namespace } = place
  const { uuid } = await call('study/add', {
    sid,
    study_uid: newUid(),
    storage_namespace: namespace,
    phi_namespace: namespace,
  })
  await call('study/sync', { sid, uuid, image_count: '0' })
  await services.db
    .transaction()
    .execute((tx) => sayReady(tx, [{ phi_namespace: namespace, uuid }], 'synced', new Date()))
  expect(await linesOf(place)).toEqual([])
})

test('a study that waits for approval is ready when it is approved, once', async () => {
  const place = await makePlace()
  await query(`update app_group set must_approve_upload = true where namespace_uuid = '${place.namespace}'`)
  await post(place, newUid(), 1)
  await quiet()
  expect(await linesOf(place)).toEqual([])
  expect(await readyEvents(place)).toBe(0)
  const { uuid } = await recordOf(place)
  for (const _ of [1, 2]) expect(await call('study/approve', { sid: place.sid, uuid })).toMatchObject({ status: 'OK' })
  await quiet(200)
  expect(await linesOf(place)).toEqual([{ number: 1, reason: 'approved', images: 1 }])
  expect(await readyEvents(place)).toBe(1)
})

test('what is uploaded to an Organisation inbox waits for approval where the organisation says so', async () => {
  const [inbox] = (await query(`select namespace_uuid from account where uuid = '${organisation.accountUuid}'`)) as [
    { namespace_uuid: string },
  ]
  const place = { ...(await makePlace()), namespace: inbox.namespace_uuid }
  const waits = async (studyUid: string) => {
    await post(place, studyUid, 1)
    const [made] = (await query(`select must_approve from study where study_uid = '${studyUid}'`)) as [
      { must_approve: boolean },
    ]
    return made.must_approve
  }
  expect(await waits(newUid())).toBe(false)
  const said = { sid: place.sid, uuid: organisation.accountUuid }
  expect(await call('account/set', { ...said, must_approve_upload: 1 })).toMatchObject({ status: 'OK' })
  expect(await waits(newUid())).toBe(true)
  expect(await call('account/set', { ...said, must_approve_upload: 0 })).toMatchObject({ status: 'OK' })
})

test('a deleted study is not ready while it is deleted; restored, it is with all its images', async () => {
  const place = await makePlace()
  const studyUid = newUid()
  await post(place, studyUid, 1)
  await post(place, studyUid, 2)
  const { uuid } = await recordOf(place)
  expect(await call('study/delete', { sid: place.sid, uuid })).toMatchObject({ status: 'OK' })
  await quiet()
  expect(await linesOf(place)).toEqual([])
  expect(await call('study/revive', { sid: place.sid, uuid })).toMatchObject({ status: 'OK' })
  expect(await linesOf(place)).toEqual([{ number: 1, reason: 'restored', images: 2 }])
  // once more, although nothing new came: it was gone for everybody in between
  await call('study/delete', { sid: place.sid, uuid })
  await call('study/revive', { sid: place.sid, uuid })
  expect((await linesOf(place)).at(-1)).toEqual({ number: 2, reason: 'restored', images: 2 })
})

test.each(['ready', 'receiving'])(
  'images restored beside those of a record that is %s are told once',
  async (state) => {
    const place = await makePlace()
    const studyUid = newUid()
    await post(place, studyUid, 1)
    await post(place, studyUid, 2)
    const old = (await recordOf(place)).uuid
    await call('study/delete', { sid: place.sid, uuid: old })
    await post(place, studyUid, 3)
    if (state === 'ready') await quiet()
    const hook = { name: state, event: 'STUDY_SYNC', url: 'https://hooks.example.org/in', method: 'POST_JSON' }
    const added = await call('webhook/add', { sid: place.sid, account_id: organisation.accountUuid, ...hook })
    expect(await call('study/revive', { sid: place.sid, uuid: old })).toMatchObject({ status: 'OK' })
    await quiet()
    expect(await linesOf(place)).toEqual(
      state === 'ready'
        ? [
            { number: 1, reason: 'quiet', images: 1 },
            { number: 2, reason: 'joined', images: 2 },
          ]
        : [{ number: 1, reason: 'quiet', images: 3 }],
    )
    expect(await query(`select study_uuid from webhook_delivery where webhook_uuid = '${added.uuid}'`)).toEqual([
      { study_uuid: (await recordOf(place)).uuid },
    ])
    await call('webhook/delete', { sid: place.sid, uuid: added.uuid })
  },
)

test('what is rolled back was never ready, and two who say it at once say it once', async () => {
  const place = await makePlace()
  await post(place, newUid(), 1)
  const record = await recordOf(place)
  const said: unknown[] = []
  const undone = services.db.transaction().execute(async (tx) => {
    await sql`update study set arrival = 'complete' where phi_namespace = ${place.namespace}`.execute(tx)
    said.push(...(await sayReady(tx, [record], 'synced', new Date())))
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  expect(said).toMatchObject([{ number: 1, images: 1 }])
  expect(await linesOf(place)).toEqual([])
  await Promise.all([quiet(), quiet(), quiet()])
  expect(await linesOf(place)).toEqual([{ number: 1, reason: 'quiet', images: 1 }])
})

test('of many studies that fall quiet at once each is ready once', async () => {
  const places = await Promise.all(Array.from({ length: 12 }, makePlace))
  await Promise.all(places.map((place) => post(place, newUid(), 1)))
  await Promise.all([quiet(), quiet()])
  for (const place of places) expect(await linesOf(place)).toEqual([{ number: 1, reason: 'quiet', images: 1 }])
})

test('a purged study leaves no line', async () => {
  const place = await makePlace()
  await post(place, newUid(), 1)
  await quiet()
  const record = await recordOf(place)
  await services.db.transaction().execute((tx) => deleteRecordForGood(tx, record))
  expect(await linesOf(place)).toEqual([])
})

test('mails those who chose so, once for what was harvested within minutes, and of no upload', async () => {
  const place = await makePlace()
  const { sid, own, namespace, email } = place
  const choose = (namespace_id: string, event_harvest: number) =>
    call('user/event/set', { sid, namespace_id, event_harvest })
  const mails = () => query(`select subject from mail where recipient = '${email}'`)
  const flush = async () => {
    const waiting = await query<{ payload: { namespaceUuid: string } }>(
      `delete from work where job = 'tell-of-harvest' and key = '${namespace}' returning payload`,
    )
    for (const { payload } of waiting) await tellOfHarvest(services, payload)
    return waiting.length
  }
  const harvest = async () => {
    await doors['C-STORE']?.(place, newUid(), 1)
    await quiet()
  }
  expect(await call('user/event', { sid, namespace_id: namespace })).toMatchObject({ event_harvest: 0 })
  // the choice for one's own place holds for the groups as well
  await choose(own, 1)
  expect(await call('user/event', { sid, namespace_id: namespace })).toMatchObject({ event_harvest: 1, event_share: 0 })
  await post(place, newUid(), 1)
  await quiet()
  expect(await flush()).toBe(0)
  await harvest()
  await harvest()
  expect(await flush()).toBe(1)
  expect(await mails()).toEqual([{ subject: 'Exams have arrived' }])
  await choose(namespace, 0)
  await harvest()
  await flush()
  expect(await mails()).toHaveLength(1)
  await choose(namespace, 1)
  await query(`update app_group set must_approve_harvest = true where namespace_uuid = '${namespace}'`)
  await harvest()
  expect(await flush()).toBe(0)
})
