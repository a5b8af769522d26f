import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { startDicomweb, valueOf } from '../../../test/dicomweb-fixture.ts'
import { madeImage, type MadeImage, uploadImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const REPORT = '1.2.840.10008.5.1.4.1.1.88.34'

/** A member with a study of one image, and a sid derived for it, as its viewer has one. */
async function openStudy() {
  const member = await server.addMember(['study_upload', 'study_view'])
  const studyUid = newUid()
  expect((await uploadImage(server, member, madeImage({ studyUid, number: 1 }))).status).toBe(202)
  return { member, studyUid, viewer: await server.derive(member, [studyUid]) }
}

async function keep(sid: { sid: string }, { namespace }: Member, studyUid: string, report: Partial<MadeImage> = {}) {
  const made = madeImage({ studyUid, number: 1, series: 9, sopClassUid: REPORT, ...report })
  const reply = await server.ask(sid, `${namespace}/studies/${studyUid}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'application/dicom' },
    body: new Uint8Array(made),
  })
  return { status: reply.status, body: (await reply.json()) as { error?: string; series_uid?: string } }
}

const series = (member: Member, studyUid: string) =>
  server.list(member, `${member.namespace}/studies/${studyUid}/series`)

test('a report of measurements becomes a series of the study, by a sid that else only reads, on record', async () => {
  const { member, studyUid, viewer } = await openStudy()
  const { status, body } = await keep(viewer, member, studyUid)
  expect([status, body]).toEqual([200, { series_uid: `${studyUid}.9`, sop_uid: `${studyUid}.9.1` }])
  expect((await series(member, studyUid)).map((one) => valueOf(one, '0020000E'))).toContain(`${studyUid}.9`)
  expect(
    await server.query(`
      select detail ->> 'kind' as kind, detail ->> 'sop_uid' as sop_uid from audit
      where action = 'IMAGE_ADDED' and phi_namespace = '${member.namespace}'`),
  ).toEqual([{ kind: 'measurements', sop_uid: `${studyUid}.9.1` }])
  // the other doors to store by stay shut
  expect((await server.stow({ ...member, ...viewer }, [madeImage({ studyUid, number: 2 })])).status).toBe(403)
  expect((await server.stow({ ...member, ...viewer }, [madeImage({ studyUid, number: 2 })], studyUid)).status).toBe(403)
})

test('the right to upload is needed, and only the named study is open', async () => {
  const { member, studyUid, viewer } = await openStudy()
  const other = newUid()
  expect((await uploadImage(server, member, madeImage({ studyUid: other, number: 1 }))).status).toBe(202)
  expect((await keep(viewer, member, other)).status).toBe(404)
  expect((await keep({ sid: 'made-up' }, member, studyUid)).status).toBe(401)
  const stranger = await openStudy()
  expect((await keep(stranger.viewer, member, studyUid)).status).toBe(404)
  await server.query(
    `update role set permissions = '{study_view}' where account_uuid = '${member.account}' returning uuid`,
  )
  expect((await keep(viewer, member, studyUid)).status).toBe(403)
  expect(await series(member, studyUid)).toHaveLength(1)
})

test('takes structured reports of the study and its patient, and nothing else', async () => {
  const { member, studyUid, viewer } = await openStudy()
  const refusals = [
    [{ sopClassUid: '1.2.840.10008.5.1.4.1.1.7' }, 'Only structured reports are taken here'],
    [{ sopClassUid: '1.2.840.10008.5.1.4.1.1.88.59' }, 'Only structured reports are taken here'],
    [{ studyUid: newUid() }, 'The report belongs to another study than the one named'],
    [
      { patientName: 'Other^One', patientId: 'X9', birthDate: '19500505', sex: 'M' },
      'The report names another patient than the images of the study',
    ],
  ] as const
  for (const [report, error] of refusals) {
    expect(await keep(viewer, member, studyUid, report)).toEqual({ status: 409, body: { error } })
  }
  const send = (type: string, body: Uint8Array<ArrayBuffer>) =>
    server.ask(viewer, `${member.namespace}/studies/${studyUid}/measurements`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
  expect((await send('application/dicom', new Uint8Array(5_000_000))).status).toBe(413)
  expect((await send('application/dicom', new Uint8Array(50))).status).toBe(400)
  expect((await send('text/plain', new Uint8Array(50))).status).toBe(415)
  expect(await series(member, studyUid)).toHaveLength(1)
})

test('a report with the corrected patient is stored as the images came, and leaves corrected as they do', async () => {
  const { member, studyUid, viewer } = await openStudy()
  const edits = [
    { tag: 'patient_name', old: 'Made^Up', new: 'Right^Name', who: member.user, when: '2026-01-31 10:00:00+00' },
    { tag: 'patientid', old: 'M1', new: 'M2', who: member.user, when: '2026-01-31 10:00:00+00' },
  ]
  await server.query(`
    update study set patient_name = 'Right^Name', patientid = 'M2', phi_version = phi_version + 1,
      edits = '${JSON.stringify(edits)}' where phi_namespace = '${member.namespace}' returning uuid`)
  const { status } = await keep(viewer, member, studyUid, { patientName: 'Right^Name', patientId: 'M2' })
  expect(status).toBe(200)
  const [row] = await server.query(
    `select mixed_patients, (select jsonb_agg(i ->> 'patientid') from stored_study t, jsonb_array_elements(t.identities) i
      where t.study_uid = s.study_uid) as mrns from study s where phi_namespace = '${member.namespace}'`,
  )
  expect(row).toEqual({ mixed_patients: false, mrns: ['M1'] })
  const [report] = await server.list(member, `${member.namespace}/studies/${studyUid}/series/${studyUid}.9/metadata`)
  expect(valueOf(report, '00100020')).toBe('M2')
})
