import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { makeStudies, type StudyFields } from '../../../test/make-studies.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const [group, elsewhere] = [await organisation.addGroup(), await organisation.addGroup()]
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group, elsewhere] })

interface OrderFields {
  uuid?: string
  patientid?: string
  issuer?: string
  accession_number?: string
  study_uid?: string
  namespace_uuid?: string | null
}
async function addOrder(fields: OrderFields = {}): Promise<string> {
  const { uuid = randomUUID(), patientid = '', issuer = '', accession_number = '', study_uid = '' } = fields
  const place = fields.namespace_uuid === null ? 'null' : `'${fields.namespace_uuid ?? group.namespaceUuid}'`
  await query(`insert into imaging_order (account_uuid, uuid, namespace_uuid, patientid, issuer, accession_number, study_uid)
    values ('${accountUuid}', '${uuid}', ${place}, '${patientid}', '${issuer}', '${accession_number}', '${study_uid}')`)
  return uuid
}
async function addExam(fields: Partial<StudyFields> = {}): Promise<string> {
  const [uuid = ''] = await makeStudies(services.db, accountUuid, [{ phi_namespace: group.namespaceUuid, ...fields }])
  return uuid
}
const mark = () => randomUUID().slice(0, 8)
const examsOf = async (uuid: string, asker = sid): Promise<string[]> => {
  const { body } = await call('order/get', { sid: asker, uuid })
  const exams = body.studies.map((one: { uuid: string }) => one.uuid).toSorted()
  const listed = await call('order/list', { sid: asker, account_id: accountUuid, 'filter.uuid.equals': uuid })
  expect([body.study_count, listed.body.orders[0].study_count]).toEqual([exams.length, exams.length])
  return exams
}

describe('exams of an order', () => {
  it('come back under the Study Instance UID that the worklist told, made of the order or named by its sender', async () => {
    const exam = await addExam()
    const [own] = await query<{ study_uid: string }>(`select study_uid from study where uuid = '${exam}'`)
    const made = await addOrder({ uuid: exam })
    const [found] =
      (await call('order/sps/add', { sid, order_id: made, modality: 'CT' })).status === 200
        ? (await call('order/sps/find', { sid, account_id: accountUuid, 'filter.order_sps.modality.equals': 'CT' }))
            .body.sps
        : []
    expect(found?.study_uid).toBe(own?.study_uid)
    const named = await addOrder({ study_uid: own?.study_uid ?? '' })
    const other = await addOrder()
    expect([await examsOf(made), await examsOf(named), await examsOf(other)]).toEqual([[exam], [exam], []])
    expect((await call('order/get', { sid, uuid: made })).body.studies).toEqual([
      { uuid: exam, study_uid: own?.study_uid, phi_namespace: group.namespaceUuid },
    ])
  })

  it('have its accession number and the number of its patient, one alone does not do', async () => {
    const [accession, mrn] = [`A-${mark()}`, `M-${mark()}`]
    const order = await addOrder({ accession_number: accession, patientid: mrn, issuer: 'NORTH' })
    const exam = await addExam({ accession_number: accession, patientid: ` ${mrn.toLowerCase()}`, issuer: '' })
    await addExam({ accession_number: accession, patientid: 'M-OTHER' })
    await addExam({ accession_number: accession, patientid: mrn, issuer: 'SOUTH' })
    await addExam({ accession_number: '', patientid: mrn })
    await addExam({ accession_number: accession, patientid: mrn, phi_namespace: elsewhere.namespaceUuid })
    expect(await examsOf(order)).toEqual([exam])
    const nobody = await addOrder({ accession_number: accession })
    expect(await examsOf(nobody)).toEqual([])
  })

  it('have a number of the same authority, of which the organisation may have several names', async () => {
    const [accession, mrn] = [`A-${mark()}`, `M-${mark()}`]
    const order = await addOrder({ accession_number: accession, patientid: mrn, issuer: 'HIS North' })
    const [own, other] = [
      await addExam({ accession_number: accession, patientid: mrn, issuer: 'OWN' }),
      await addExam({ accession_number: accession, patientid: mrn, issuer: 'SOUTH' }),
    ]
    await call('account/set', { sid, uuid: accountUuid, issuer: 'OWN' })
    expect(await examsOf(order)).toEqual([])
    await call('account/set', { sid, uuid: accountUuid, setting_other_issuers: 'KIS, his north' })
    expect(await examsOf(order)).toEqual([own])
    // other names are of the organisation's own authority, and of no other
    await call('account/set', { sid, uuid: accountUuid, setting_other_issuers: 'KIS, SOUTH' })
    expect(await examsOf(order)).toEqual([])
    await call('account/set', { sid, uuid: accountUuid, setting_other_issuers: '' })
    expect([own, other].every((uuid) => uuid !== '')).toBe(true)
  })

  it('are counted once, and not while they are announced, deleted, unapproved, or nobody’s to see', async () => {
    const [accession, mrn] = [`A-${mark()}`, `M-${mark()}`]
    const of = { accession_number: accession, patientid: mrn }
    const exam = await addExam(of)
    const order = await addOrder({ ...of, uuid: exam })
    const [gone, coming, waiting] = [await addExam(of), await addExam(of), await addExam(of)]
    await query(`update study set deleted_at = now() where uuid = '${gone}'`)
    await query(`update study set arrival = 'announced' where uuid = '${coming}'`)
    await query(`update study set must_approve = true where uuid = '${waiting}'`)
    expect(await examsOf(order)).toEqual([exam, waiting].toSorted())
    const { sid: reader } = await organisation.addPerson({ role: 'Clinician', groups: [group] })
    expect(await examsOf(order, reader)).toEqual([exam])
    const ofNone = await addOrder({ ...of, namespace_uuid: null })
    expect(await examsOf(ofNone)).toEqual([exam, waiting].toSorted())
  })

  it('are what orders are found by, and an exam tells how many orders it has', async () => {
    const of = { accession_number: `A-${mark()}`, patientid: `M-${mark()}` }
    const exam = await addExam(of)
    const [with_, without] = [await addOrder(of), await addOrder({ patientid: of.patientid })]
    const found = async (filter: object) =>
      (
        await call('order/list', {
          sid,
          account_id: accountUuid,
          'filter.patientid.equals': of.patientid,
          ...filter,
        })
      ).body.orders.map((one: { uuid: string }) => one.uuid)
    expect(await found({ 'filter.study_count.equals': 0 })).toEqual([without])
    expect(await found({ 'filter.study_count.gt': 0 })).toEqual([with_])
    expect((await call('study/get', { sid, uuid: exam })).body.order_count).toBe(1)
    const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
    expect((await call('study/get', { sid: viewer.sid, uuid: exam })).body).not.toHaveProperty('order_count')
    const listed = async (by: string, fields?: string) =>
      (
        await call('study/list', {
          sid: by,
          'filter.uuid.equals': exam,
          ...(fields ? { 'fields.study': fields } : {}),
        })
      ).body.studies[0]
    expect(await listed(sid, JSON.stringify(['uuid', 'order_count']))).toEqual({ uuid: exam, order_count: 1 })
    expect(await listed(viewer.sid, JSON.stringify(['uuid', 'order_count']))).toEqual({ uuid: exam })
    expect(await listed(sid)).not.toHaveProperty('order_count')
  })
})

describe('the progress of a step', () => {
  it('[API-48] is told by order/sps/status, on record, and takes a step that is done off the worklist', async () => {
    const order = await addOrder({ patientid: 'M1' })
    const { uuid } = (await call('order/sps/add', { sid, order_id: order, modality: 'MR' })).body
    const tell = async (sent: object) => (await call('order/sps/status', { sid, uuid, ...sent })).body
    expect((await tell({ mpps_status: 'IN_PROGRESS', mpps_uid: '1.2.3' })).status).toBe('OK')
    expect((await tell({ mpps_status: 'COMPLETED' })).status).toBe('OK')
    const { body } = await call('order/get', { sid, uuid: order })
    expect(body.sps).toMatchObject([{ uuid, mpps_status: 'COMPLETED', mpps_uid: '1.2.3' }])
    const { events } = (await call('order/history', { sid, uuid: order })).body
    expect(events.map((one: { detail: object }) => one.detail).slice(0, 2)).toEqual([
      { mpps_status: ['IN_PROGRESS', 'COMPLETED'] },
      { mpps_status: ['', 'IN_PROGRESS'], mpps_uid: ['', '1.2.3'] },
    ])
    expect(await tell({ mpps_status: 'DONE' })).toMatchObject({ error_type: 'INVALID_STATUS' })
    expect(await tell({ mpps_status: 'PENDING', mpps_uid: 'not a uid' })).toMatchObject({
      error_type: 'INVALID_FIELD',
      error_subtype: 'mpps_uid',
    })
    const { sid: reader } = await organisation.addPerson({ role: 'Clinician', groups: [group] })
    expect((await call('order/sps/status', { sid: reader, uuid, mpps_status: 'PENDING' })).body.error_type).toBe(
      'NOT_PERMITTED',
    )
  })
})
