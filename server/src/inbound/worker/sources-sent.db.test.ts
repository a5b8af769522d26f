import type { Message } from '@hilum/dicom/dimse/association'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { find, getStudy, moveStudy, QueryClass } from '@hilum/dicom/dimse/query'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { reply } from '@hilum/dicom/dimse/services'
import { formatStatus } from '@hilum/dicom/dimse/status'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { findText } from '@hilum/dicom/values'
import { concatBytes, type WriteElement, writeMeta } from '@hilum/dicom/write-part10'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import type { CommitmentScript } from '../../../test/scripted-commitment.ts'
import { startScriptedPeer, textIn } from '../../../test/scripted-peer.ts'
import { makeSources, type Place } from '../../../test/sources-fixture.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { aeTitleSetting, queryPeersSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/* Records of several sources that are sent to DICOM nodes, asked for (C-GET, C-MOVE) or pushed. */

const { services, call, query } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const { accountUuid, makePlace, send, share, stop, recordOf } = await makeSources({ services, query })
const pacs = await startScriptedPeer('PACS')
const { uuid: destination } = await makeDestination({ query }, accountUuid, { port: pacs.port, title: 'PACS' })
await query(`update destination set max_associations = 1 where uuid = '${destination}'`)
const sc = '1.2.840.10008.5.1.4.1.1.7'
const plain = [ExplicitLittleEndian]

beforeEach(() => {
  pacs.script = {}
  pacs.stored.length = 0
  pacs.asked = 0
})

let titles = 0
/** A place that the peer WS may query. */
async function makeAskedPlace(): Promise<{ place: Place; title: string }> {
  const [place, title] = [await makePlace(), `ASKED_${++titles}`]
  await putSetting(services.db, 'namespace', place.namespace, aeTitleSetting, title)
  await putSetting(services.db, 'namespace', place.namespace, queryPeersSetting, '[{"ae_title":"WS"}]')
  return { place, title }
}
type Asked = Awaited<ReturnType<typeof makeAskedPlace>>

const associate = ({ title }: Asked, sopClass: string, more: { abstractSyntax: string; isScp: boolean }[] = []) =>
  requestAssociation({ host: '127.0.0.1', port: listeners.port, calledTitle: title, callingTitle: 'WS' }, [
    { abstractSyntax: sopClass, transferSyntaxes: plain },
    ...more.map((one) => ({ ...one, transferSyntaxes: plain })),
  ])

async function fileOf({ command, context, data }: Message): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of data ?? []) chunks.push(chunk)
  const { affectedSopClass = '', affectedSopInstance = '' } = command
  return concatBytes([writeMeta(affectedSopClass, affectedSopInstance, context.transferSyntax), ...chunks])
}

type Sent = { sops: string[]; end: unknown }
/** Sends a study in one of the ways that there are; `onFirst` passes before the first image is acknowledged. */
type Send = (asked: Asked, studyUid: string, onFirst?: () => Promise<void>) => Promise<Sent>
const sopsOf = (files: readonly Uint8Array[]) =>
  [...new Set(files.map((file) => textIn(file, Tag.SOPInstanceUID)))].toSorted()

const byGet: Send = async (asked, studyUid, onFirst) => {
  const association = await associate(asked, QueryClass.StudyGet, [{ abstractSyntax: sc, isScp: true }])
  const files: Uint8Array[] = []
  const onObject = async (message: Message) => {
    files.push(await fileOf(message))
    if (files.length === 1) await onFirst?.()
    await reply(association, message, { status: 0 })
  }
  const { status, completed, failed, comment } = await getStudy(association, studyUid, onObject, () => undefined)
  await association.release()
  return { sops: sopsOf(files), end: [formatStatus(status), completed, failed, comment] }
}

const byMove: Send = async (asked, studyUid, onFirst) => {
  pacs.script.beforeAnswer = async (number) => (number === 1 ? onFirst?.() : undefined)
  const association = await associate(asked, QueryClass.StudyMove)
  const wanted = { studyUid, destination: 'PACS', messageId: 3 }
  const { status, completed, failed, comment } = await moveStudy(association, wanted, () => undefined)
  await association.release()
  return { sops: sopsOf(pacs.stored), end: [formatStatus(status), completed, failed, comment] }
}

const byPush: Send = async ({ place }, studyUid, onFirst) => {
  pacs.script.beforeAnswer = async (number) => (number === 1 ? onFirst?.() : undefined)
  const uuid = await recordOf(place, studyUid)
  await query(`update study set arrival = 'complete' where uuid = '${uuid}'`)
  const asked = { sid: place.sid, uuid, destination_id: destination }
  expect((await call('study/push', asked)).body).toMatchObject({ status: 'OK' })
  const state = async () => {
    // the next try of what may pass by itself comes now
    await query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
    const [found] = await query<{ status: string; message: string }>(
      `select status, message from push where study_uuid = '${uuid}'`,
    )
    return found
  }
  await vi.waitFor(async () => expect(['S', 'F']).toContain((await state())?.status), { timeout: 30_000 })
  const { status, message } = (await state()) ?? {}
  return { sops: sopsOf(pacs.stored), end: [status, message] }
}

const over = 'The right to send these images has ended'

/** Stops a share, and waits until its images are sent no more; the association of a peer that asked stays open. */
async function stopSending(shared: Parameters<typeof stop>[0]): Promise<void> {
  const before = services.access.count('')
  await stop(shared)
  await vi.waitFor(() => expect(services.access.count('')).toBeLessThan(before), { timeout: 20_000 })
}

describe('a source that goes away while images of it are sent', () => {
  it.each<[string, Send, unknown]>([
    ['C-GET', byGet, ['B000', 1, 3, over]],
    // the connection to the destination is cut before the first answer
    ['C-MOVE', byMove, ['A702', 0, 4, over]],
    // what is left of the exam is sent by the next try
    ['a push', byPush, ['S', '1 of 1 image sent.']],
  ])('ends %s', async (_name, sendBy, end) => {
    const [asked, sender] = [await makeAskedPlace(), await makePlace()]
    const studyUid = newUid()
    await send(asked.place, studyUid, 1)
    for (const number of [2, 3, 4]) await send(sender, studyUid, number)
    const shared = await share(sender, asked.place, studyUid)
    const sent = await sendBy(asked, studyUid, async () => {
      await stopSending(shared)
    })
    expect(sent).toEqual({ sops: [`${studyUid}.1.1`], end })
  })

  it.each<[string, Send]>([
    ['C-MOVE', byMove],
    ['a push', byPush],
  ])('ends %s in the middle of an image', async (_name, sendBy) => {
    const [asked, sender] = [await makeAskedPlace(), await makePlace()]
    const studyUid = newUid()
    await send(asked.place, studyUid, 1)
    // more than the buffers of a connection hold
    await send(sender, studyUid, 2, { frames: 80_000 })
    const shared = await share(sender, asked.place, studyUid)
    pacs.script.beforeData = async (number) => {
      if (number !== 2) return
      await stopSending(shared)
    }
    expect((await sendBy(asked, studyUid)).sops).toEqual([`${studyUid}.1.1`])
    expect(pacs.asked).toBe(1)
  })

  it('ends C-GET in the middle of an image, on record with the reason', async () => {
    const [asked, sender] = [await makeAskedPlace(), await makePlace()]
    const studyUid = newUid()
    await send(sender, studyUid, 1, { frames: 80_000 })
    const shared = await share(sender, asked.place, studyUid)
    const association = await associate(asked, QueryClass.StudyGet, [{ abstractSyntax: sc, isScp: true }])
    const onObject = async (message: Message) => {
      await stopSending(shared)
      await fileOf(message)
    }
    await expect(getStudy(association, studyUid, onObject, () => undefined)).rejects.toThrow(DimseError)
    await expect
      .poll(() =>
        query(`select detail->>'reason' as reason from audit where phi_namespace = '${asked.place.namespace}'
        and action = 'DICOM_QUERY'`),
      )
      .toEqual([{ reason: over }])
  })

  it('ends a push of a person who may not send the exam any more', async () => {
    const asked = await makeAskedPlace()
    const studyUid = newUid()
    for (const number of [1, 2, 3]) await send(asked.place, studyUid, number)
    const sent = await byPush(asked, studyUid, async () => {
      await query(`delete from group_user where user_uuid = '${asked.place.userUuid}'`)
      await vi.waitFor(() => expect(services.access.count(asked.place.userUuid)).toBe(0), { timeout: 10_000 })
    })
    const end = ['F', 'The person who asked for it may not send the exam any more']
    expect(sent).toEqual({ sops: [`${studyUid}.1.1`], end })
  })
})

describe('a record of two sources', () => {
  it.each<[string, Send, unknown]>([
    ['C-GET', byGet, ['0000', 3, 0, '']],
    ['C-MOVE', byMove, ['0000', 3, 0, '']],
    ['a push', byPush, ['S', '3 of 3 images sent.']],
  ])('is sent with the images of both by %s', async (_name, sendBy, end) => {
    const { asked, studyUid } = await makeOfTwo()
    const sops = [1, 2, 3].map((number) => `${studyUid}.1.${number}`)
    expect(await sendBy(asked, studyUid)).toEqual({ sops, end })
  })

  it('is found by a peer with the images and series of both (C-FIND)', async () => {
    const { asked, sender, studyUid } = await makeOfTwo()
    await send(sender, studyUid, 1, { series: 2 })
    const ask = async (level: string, more: WriteElement[]) => {
      const association = await associate(asked, QueryClass.StudyFind)
      const keys: WriteElement[] = [
        { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: level },
        { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
        ...more,
      ]
      const found: (string | undefined)[] = []
      const asking = find(association, QueryClass.StudyFind, keys, (answer) => {
        found.push(findText(answer, more[0]?.tag ?? 0)?.trim())
        return 'more'
      })
      expect((await asking.finally(() => association.release())).status).toBe(0)
      return found
    }
    expect(await ask('STUDY', [{ tag: 0x00201208, vr: 'IS', value: '' }])).toEqual(['4'])
    expect(await ask('STUDY', [{ tag: 0x00201206, vr: 'IS', value: '' }])).toEqual(['2'])
    const ofSeries: WriteElement = { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '' }
    expect(await ask('SERIES', [ofSeries])).toEqual([`${studyUid}.1`, `${studyUid}.2`])
    const ofImage: WriteElement = { tag: Tag.SOPInstanceUID, vr: 'UI', value: '' }
    const inFirst: WriteElement = { ...ofSeries, value: `${studyUid}.1` }
    const sops = [1, 2, 3].map((number) => `${studyUid}.1.${number}`)
    expect((await ask('IMAGE', [ofImage, inFirst])).toSorted()).toEqual(sops)
  })

  it('asks for the storage of the images of both, and counts those that come to either after a push', async () => {
    const { asked, sender, studyUid } = await makeOfTwo()
    const commitment: CommitmentScript = { asked: [], answers: [] }
    pacs.script = { commitment }
    await query(`update destination set can_commit = true where uuid = '${destination}'`)
    onTestFinished(
      async () => void (await query(`update destination set can_commit = false where uuid = '${destination}'`)),
    )
    await byPush(asked, studyUid)
    await vi.waitFor(() => expect(commitment.asked).toHaveLength(1), { timeout: 10_000 })
    const named = commitment.asked.flatMap(({ images }) => images.map((one) => one.sopInstance))
    expect(named.toSorted()).toEqual([1, 2, 3].map((number) => `${studyUid}.1.${number}`))
    const { sid } = asked.place
    const late = async () => {
      const { body } = await call('study/list', { sid, 'filter.study_uid.equals': studyUid })
      return body.studies[0].study_push_status[0].late_image_count
    }
    expect(await late()).toBe(0)
    await send(sender, studyUid, 4)
    expect(await late()).toBe(1)
    await send(asked.place, studyUid, 5)
    expect(await late()).toBe(2)
  })

  it('tells where the sources hold different images under one SOP Instance UID', async () => {
    const { asked, sender, studyUid } = await makeOfTwo()
    await send(sender, studyUid, 1, { from: 'sender' })
    const uuid = await recordOf(asked.place, studyUid)
    const { conflicts } = (await call('study/conflicts', { sid: asked.place.sid, uuid })).body
    expect(conflicts).toMatchObject([{ sop_uid: `${studyUid}.1.1`, versions: [{ is_shown: 1 }, { is_shown: 0 }] }])
  })

  it('says whom the images of both name, and which of them have limits', async () => {
    const { asked, sender, studyUid } = await makeOfTwo()
    await send(sender, studyUid, 4, { sopClassUid: '1.2.840.10008.5.1.4.1.1.104.1' })
    await send(sender, studyUid, 5, { patientName: 'Other^Person', patientId: 'OTHER', birthDate: '19990101' })
    const asking = { sid: asked.place.sid, uuid: await recordOf(asked.place, studyUid) }
    const { patients } = (await call('study/patients', asking)).body
    const told = patients.map((one: { patientid: string; images: number }) => [one.patientid, one.images])
    expect(told).toEqual([
      ['M1', 4],
      ['OTHER', 1],
    ])
    expect((await call('study/edit/limits', asking)).body).toMatchObject({ status: 'OK', pdf: 1 })
  })
})

/** A record with an image of its own and two by a share. */
async function makeOfTwo() {
  const [asked, sender] = [await makeAskedPlace(), await makePlace()]
  const studyUid = newUid().slice(0, 50)
  await send(asked.place, studyUid, 1)
  for (const number of [2, 3]) await send(sender, studyUid, number)
  await share(sender, asked.place, studyUid)
  return { asked, sender, studyUid }
}
