import { askCommitment, CommitmentPush, type Commitment, readCommitment } from '@hilum/dicom/dimse/commitment'
import { CommandField } from '@hilum/dicom/dimse/command'
import { acceptAssociation } from '@hilum/dicom/dimse/accept-association'
import { createAssociationListener } from '@hilum/dicom/dimse/listener'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { reply } from '@hilum/dicom/dimse/services'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { objectPath } from '../../../test/object-path.ts'
import { addMember, startStorage } from '../../../test/storage-fixture.ts'
import { jobs } from '../../areas/jobs.ts'
import { aeTitleSetting, allowedPeersSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { startRunner } from '../worker/run-work.ts'
import { openDicomListener } from './open-dicom-listener.ts'

/* Peers that ask whether what they sent is stored for good. */

const storage = await startStorage()
const { services, query } = storage
services.config.dicom.port = 0
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const sc = '1.2.840.10008.5.1.4.1.1.7'
const plain = [ExplicitLittleEndian, ImplicitLittleEndian]
let made = 0

/** A place that one peer may send to. */
async function makePlace() {
  const member = await addMember(services.db, ['study_upload', 'study_view'])
  const title = `KEEPS_${++made}`
  await putSetting(services.db, 'namespace', member.namespace, aeTitleSetting, title)
  await putSetting(services.db, 'namespace', member.namespace, allowedPeersSetting, '[{"ae_title":"CT_1"}]')
  const [place] = await query<{ account_uuid: string }>(
    `select account_uuid from namespace where uuid = '${member.namespace}'`,
  )
  return { member, title, accountUuid: place?.account_uuid ?? '' }
}
type Place = Awaited<ReturnType<typeof makePlace>>

async function store({ member }: Place) {
  const studyUid = newUid().slice(0, 50)
  expect((await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))).status).toBe(202)
  return { sopClass: sc, sopInstance: `${studyUid}.1.1` }
}

/** Asks over one association, and takes the report over the same. */
async function ask({ title }: Place, images: { sopClass: string; sopInstance: string }[], callingTitle = 'CT_1') {
  const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: title, callingTitle }
  const association = await requestAssociation(peer, [{ abstractSyntax: CommitmentPush, transferSyntaxes: plain }])
  const transactionUid = newUid()
  const { status, comment } = await askCommitment(association, transactionUid, images)
  const message = status === 0 ? await association.receive() : undefined
  const report = message && (await readCommitment(message))
  if (message) await reply(association, message, { status: 0 })
  await association.release()
  return { status, comment, transactionUid, report }
}

/** A peer that takes reports over associations of their own. */
async function startReported(): Promise<{ port: number; reports: Commitment[]; failures: number }> {
  const heard = { port: 0, reports: [] as Commitment[], failures: 0 }
  const listener = createAssociationListener(async ({ association }) => {
    const request = await acceptAssociation(association, {
      refuse: async () => undefined,
      choose: () => ExplicitLittleEndian,
      sendsBack: () => true,
    })
    expect(request?.roles).toEqual([{ sopClass: CommitmentPush, isScu: false, isScp: true }])
    for (let message = await association.receive(); message; message = await association.receive()) {
      expect(message.command.field).toBe(CommandField.EventReportRequest)
      const report = await readCommitment(message)
      const fails = heard.failures > 0
      if (fails) heard.failures -= 1
      else if (report) heard.reports.push(report)
      await reply(association, message, { status: fails ? 0x0110 : 0 })
    }
  })
  listener.server.listen(0, '127.0.0.1')
  await once(listener.server, 'listening')
  afterAll(() => listener.close())
  heard.port = (listener.server.address() as AddressInfo).port
  return heard
}

describe('a peer that asks for storage commitment', () => {
  it('is told of each image whether the called place stores it, in the class that it names', async () => {
    const place = await makePlace()
    const [first, second] = [await store(place), await store(place)]
    const all = await ask(place, [first, second])
    expect(all).toMatchObject({ status: 0, report: { images: [first, second], failed: [] } })
    expect(all.report?.transactionUid).toBe(all.transactionUid)

    const elsewhere = await store(await makePlace())
    const absent = { sopClass: sc, sopInstance: newUid() }
    const otherClass = { sopClass: '1.2.840.10008.5.1.4.1.1.2', sopInstance: first.sopInstance }
    const some = await ask(place, [second, elsewhere, absent, otherClass])
    expect(some.report).toMatchObject({
      images: [second],
      failed: [
        { ...elsewhere, reason: 0x0112 },
        { ...absent, reason: 0x0112 },
        { ...otherClass, reason: 0x0119 },
      ],
    })
  })

  it('is told that an exam which was deleted, or whose bytes are gone, is not stored', async () => {
    const place = await makePlace()
    const [deleted, lost] = [await store(place), await store(place)]
    await query(`update study set deleted_at = now() where study_uid = (
      select t.study_uid from instance i join stored_study t on t.key = i.study_key where i.sop_uid = '${deleted.sopInstance}')`)
    const [object] = await query<{ object_key: string }>(`select b.object_key from instance i
      join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
      where i.sop_uid = '${lost.sopInstance}'`)
    await rm(objectPath(services.config, object?.object_key ?? ''))
    const { report } = await ask(place, [deleted, lost])
    expect(report?.failed.map((one) => one.reason)).toEqual([0x0112, 0x0110])
  })

  it('is reported to over an association of our own where it is a destination, and again until it takes the report', async () => {
    const place = await makePlace()
    const image = await store(place)
    const heard = await startReported()
    await makeDestination(storage, place.accountUuid, { port: heard.port, title: 'CT_1', nodeTitle: 'KEEPS_NODE' })
    heard.failures = 2
    const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: place.title, callingTitle: 'CT_1' }
    const association = await requestAssociation(peer, [{ abstractSyntax: CommitmentPush, transferSyntaxes: plain }])
    const transactionUid = newUid()
    expect(await askCommitment(association, transactionUid, [image])).toMatchObject({ status: 0 })
    await association.release()
    const again = () => query(`update work set run_at = now() where job = 'report-commitment' and state = 'waiting'`)
    await expect
      .poll(async () => (await again(), heard.reports), { timeout: 10_000 })
      .toEqual([{ transactionUid, images: [image], failed: [] }])
    await expect.poll(() => query('select from commitment_question')).toEqual([])
  })

  it('is refused what it may not ask: without the right to send, without images, with something else', async () => {
    const place = await makePlace()
    const image = await store(place)
    await expect(ask(place, [image], 'STRANGER')).rejects.toThrow('does not know our AE title')
    expect(await ask(place, [])).toMatchObject({ status: 0x0115, report: undefined })
  })
})
