import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { type Nominated, openGate } from '../../../test/nominated-exam.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { up } from '../../db/migrations/0303-deleted-nominations.ts'
import { findDepartures, noteDeparture } from '../altered/departure.sql.ts'
import { erasePatient } from '../retention/patient.command.ts'
import { listPatientRecords } from '../retention/patient.sql.ts'

/*
 * Exams of nominations that are deleted, at either end, and restored: both ends tell the same, and what was rejected or
 * left stays known.
 */

const app = await startTestApp()
const { query } = app
const gate = await openGate(app, (accountUuid) => makeDestination(app, accountUuid))
const { ask, one, clinician, registrar, destination, fields, acts } = gate
const said = (reply: { status: string; error_type?: string }) => reply.error_type ?? reply.status
const act = (name: keyof typeof acts, on: Nominated) => acts[name].steps[0]?.(on, {})

/** The nomination as each end tells it. */
async function seen({ source, gateSide }: Pick<Nominated, 'source' | 'gateSide'>) {
  const ends = [
    [clinician, source],
    [one, gateSide],
  ] as const
  const told = ends.map(async ([by, uuid]) => {
    const { nomination, customfield_h: values } = await ask('study/get', by.sid, { uuid, customfield_h: 1 })
    const isRejected = values?.[fields['is_process_form_rejected'] ?? ''] ?? ''
    return [nomination?.state, nomination?.reason, isRejected] as const
  })
  return Promise.all(told)
}
const push = (uuid: string) => ask('study/push', registrar.sid, { uuid, destination_id: destination }).then(said)
const upload = (namespace: string, { studyUid, mrn }: Nominated, number = 1) => {
  const bytes = madeImage({ studyUid, number, patientName: 'DOE^JANE', patientId: mrn, birthDate: '19700101' })
  return app.app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${namespace}/image?sid=${registrar.sid}`,
    headers: { 'content-type': 'application/dicom' },
    payload: Buffer.from(bytes),
  })
}
const doors: Record<string, (on: Nominated) => Promise<unknown>> = {
  'study/delete': ({ gateSide }) => ask('study/delete', registrar.sid, { uuid: gateSide }),
  'DELETE of its study': async ({ studyUid }) => {
    const url = `/api/v3/storage/study/${gate.namespaceUuid}/${studyUid}?sid=${registrar.sid}`
    return (await app.app.inject({ method: 'DELETE', url })).statusCode
  },
}
const nominated = [
  ['nominated', '', ''],
  ['nominated', '', ''],
]

it.each(Object.keys(doors))(
  '[PROCESS-17] %s of a nominated exam in the gatekeeper group rejects it, and restoring has it wait again',
  async (door) => {
    const on = await gate.makeNominated()
    await doors[door]?.(on)
    expect((await seen(on))[0]).toEqual(['rejected', 'Deleted by the gatekeeper group', '1'])
    expect(await push(on.source)).toBe('NOT_NOMINATED')
    const [mail] = await query(`select from mail where recipient = '${clinician.email}'`)
    expect(mail).toBeDefined()
    await query(`delete from mail`)
    expect(await ask('study/revive', registrar.sid, { uuid: on.gateSide })).toEqual({ status: 'OK' })
    expect(await seen(on)).toEqual(nominated)
    expect(await act('one sends', on)).toBe('OK')
  },
)

it('restores a rejected exam as rejected, and one that was cancelled meanwhile not at all', async () => {
  const rejected = await gate.makeNominated()
  await act('another rejects', rejected)
  await doors['study/delete']?.(rejected)
  await ask('study/revive', registrar.sid, { uuid: rejected.gateSide })
  const no = ['rejected', 'No indication', '1']
  expect(await seen(rejected)).toEqual([no, no])

  const cancelled = await gate.makeNominated()
  await doors['study/delete']?.(cancelled)
  expect(await act('the sender cancels', cancelled)).toBe('OK')
  expect(await ask('study/revive', registrar.sid, { uuid: cancelled.gateSide }).then(said)).toBe('NOT_FOUND')
  expect((await seen(cancelled))[0]).toEqual([undefined, undefined, ''])
})

it('nominates anew what the gatekeeper group deleted; the deleted record does not come back beside it', async () => {
  const on = await gate.makeNominated()
  await doors['study/delete']?.(on)
  expect(await act('the sender nominates again', on)).toBe('OK')
  const [{ uuid: anew } = { uuid: '' }] = await query<{ uuid: string }>(
    `select uuid from study where study_uid = '${on.studyUid}' and phi_namespace = '${gate.namespaceUuid}' and deleted_at is null`,
  )
  const reply = await ask('study/revive', registrar.sid, { uuid: on.gateSide })
  expect([said(reply), await seen({ ...on, gateSide: anew })]).toEqual(['NOT_FOUND', nominated])
})

it('keeps rejected what another gatekeeper group was nominated meanwhile, so that one group alone can send it', async () => {
  const second = await gate.organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
  const groups = { pacs_promote_groups: [gate.gate.groupUuid, second.groupUuid] }
  expect(await ask('group/set', registrar.sid, { uuid: gate.cloud.groupUuid, inbox_config: groups }).then(said)).toBe(
    'OK',
  )
  const on = await gate.makeNominated()
  await doors['study/delete']?.(on)
  expect(await ask('study/share', clinician.sid, { uuid: on.source, group_id: second.groupUuid }).then(said)).toBe('OK')
  expect(await ask('study/revive', registrar.sid, { uuid: on.gateSide })).toEqual({ status: 'OK' })
  const [atSender, atFirst] = await seen(on)
  expect([atSender?.[0], atFirst?.[0]]).toEqual(['nominated', 'rejected'])
  expect(await act('one sends', on)).not.toBe('OK')
  expect(await push(on.gateSide)).not.toBe('OK')
})

it.each(['source', 'gateSide'] as const)(
  'a rejection stays with an exam that is restored into a new record (%s)',
  async (end) => {
    const on = await gate.makeNominated()
    await act('another rejects', on)
    const namespace = end === 'source' ? gate.cloud.namespaceUuid : gate.namespaceUuid
    expect(await ask('study/delete', registrar.sid, { uuid: on[end] }).then(said)).toBe('OK')
    await upload(namespace, on, 5)
    const { uuid: into } = await ask('study/revive', registrar.sid, { uuid: on[end] })
    expect(into).toMatch(/^[\da-f-]{36}$/)
    const now = { ...on, [end]: into }
    const no = ['rejected', 'No indication', '1']
    expect(await seen(now)).toEqual([no, no])
    expect(await push(into)).toBe('NOT_NOMINATED')
    // the sender can go on
    expect(await act('the sender cancels', now)).toBe('OK')
    expect((await seen(now))[0]).toEqual([undefined, undefined, ''])
  },
)

it('what was sent stays so at its sender, and counts for no images that came to the gatekeeper group since', async () => {
  const on = await gate.makeNominated()
  await act('one sends', on)
  await query(`update push set status = 'S' where study_uuid = '${on.gateSide}'`)
  await ask('study/delete', registrar.sid, { uuid: on.gateSide })
  await upload(gate.namespaceUuid, on, 5)
  const { uuid: into } = await ask('study/revive', registrar.sid, { uuid: on.gateSide })
  expect((await seen({ ...on, gateSide: into }))[1]).toEqual([undefined, undefined, ''])
  const told = await ask('study/get', one.sid, { uuid: into, customfield_h: 1 })
  expect(told.customfield_h[fields['nomination_push_status'] ?? ''] ?? '').toBe('')
  expect(await push(into)).toBe('NOT_NOMINATED')
  const [{ state } = { state: '' }] = await query<{ state: string }>(
    `select state from nomination where study_uuid = '${on.source}'`,
  )
  expect(state).toBe('sent')
})

it('erasing the patient of a nominated exam in the gatekeeper group rejects it', async () => {
  const on = await gate.makeNominated()
  const mrn = `H-${on.mrn}`
  await ask('study/set', one.sid, { study_id: on.gateSide, patientid: mrn })
  const [row] = await query<{ issuer: string }>(`select issuer from study where uuid = '${on.gateSide}'`)
  const key = { account_uuid: gate.accountUuid, issuer: row?.issuer ?? '', patientid: mrn }
  const now = new Date()
  const records = await listPatientRecords(app.services.db, key, now)
  const { erased } = await erasePatient({ ...app.services, machineUser: 'ops' }, key, records, 'Asked for', now)
  expect(erased).toHaveLength(1)
  expect(await query(`select state from nomination where study_uuid = '${on.source}'`)).toEqual([{ state: 'rejected' }])
})

it('under whom images left stays known with an exam that is restored into a new record', async () => {
  const on = await gate.makeNominated()
  await act('one sends', on)
  const exam = { account_uuid: gate.accountUuid, study_uid: on.studyUid }
  const formerly = async () => (await findDepartures(app.services.db, exam, destination)).former?.sentAs
  const digests = [Buffer.from('earlier'), Buffer.from('later')] as const
  const note = (uuid: string, digest: Buffer) =>
    noteDeparture(app.services.db, { phi_namespace: gate.namespaceUuid, uuid }, destination, digest)
  await note(on.gateSide, digests[0])
  await ask('study/delete', registrar.sid, { uuid: on.gateSide })
  await upload(gate.namespaceUuid, on, 5)
  const { uuid: into } = await ask('study/revive', registrar.sid, { uuid: on.gateSide })
  expect(await formerly()).toEqual(digests[0])

  // what left later counts, whichever of both records it left
  await ask('study/delete', registrar.sid, { uuid: into })
  await upload(gate.namespaceUuid, on, 6)
  const [{ uuid: anew } = { uuid: '' }] = await query<{ uuid: string }>(
    `select uuid from study where study_uid = '${on.studyUid}' and phi_namespace = '${gate.namespaceUuid}' and deleted_at is null`,
  )
  await note(anew, digests[1])
  await ask('study/revive', registrar.sid, { uuid: into })
  expect(await formerly()).toEqual(digests[1])
})

it('a nomination that waited for a deleted record before deleting rejected it is rejected by the upgrade', async () => {
  const [inBin, purged, waiting] = [await gate.makeNominated(), await gate.makeNominated(), await gate.makeNominated()]
  await query(`update study set deleted_at = now() where uuid = '${inBin.gateSide}'`)
  await query(`delete from study where uuid = '${purged.gateSide}'`)
  await query('alter table nomination drop column rejected_by_deletion')
  await up(app.services.db)
  const stateOf = async ({ source }: Nominated) =>
    (
      await query(`select state, reason, rejected_by_deletion as back from nomination where study_uuid = '${source}'`)
    )[0]
  const reason = 'Deleted by the gatekeeper group'
  expect(await stateOf(inBin)).toEqual({ state: 'rejected', reason, back: true })
  expect((await seen(inBin))[0]).toEqual(['rejected', reason, '1'])
  expect(await stateOf(purged)).toEqual({ state: 'rejected', reason, back: false })
  expect(await stateOf(waiting)).toEqual({ state: 'nominated', reason: '', back: false })
})
