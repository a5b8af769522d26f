import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { latin1Bytes } from '../../../test/latin1-bytes.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { ensureGateFields } from '../../areas/nomination/gate-fields.sql.ts'
import { startRunner } from './run-work.ts'
import type { WriteElement } from '@hilum/dicom/write-part10'

/* Orders in the worklists of destinations: found, chosen, and the exam sent under one. */

const { services, call, query, app } = await startTestApp()
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
const group = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const reviewer = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
const other = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
const ris = await startScriptedPeer('RIS')
const { uuid: destination } = await makeDestination({ query }, accountUuid, {
  port: ris.port,
  title: 'RIS',
  name: 'RIS',
})
beforeEach(() => {
  ris.script = {}
  ris.stored.length = 0
})

interface Item {
  name?: string
  mrn?: string
  accession?: string
  charset?: string
  step?: string
  birth?: string
}

const item = ({
  name = 'ORDERED^ADA',
  mrn = 'H-1',
  accession = 'A-1',
  step = 'S-1',
  ...rest
}: Item): WriteElement[] => [
  { tag: Tag.SpecificCharacterSet, vr: 'CS', value: rest.charset ?? 'ISO_IR 192' },
  { tag: Tag.AccessionNumber, vr: 'SH', value: accession },
  { tag: Tag.PatientName, vr: 'PN', value: rest.charset ? latin1Bytes(name) : name },
  { tag: Tag.PatientID, vr: 'LO', value: mrn },
  { tag: Tag.PatientBirthDate, vr: 'DA', value: rest.birth ?? '19700203' },
  { tag: Tag.PatientSex, vr: 'CS', value: 'F' },
  { tag: Tag.RequestedProcedureDescription, vr: 'LO', value: 'CT Thorax' },
  {
    tag: Tag.ScheduledProcedureStepSequence,
    vr: 'SQ',
    value: [
      [
        { tag: Tag.Modality, vr: 'CS', value: 'CT' },
        { tag: Tag.ScheduledStationAETitle, vr: 'AE', value: 'CT_1' },
        { tag: Tag.ScheduledProcedureStepStartDate, vr: 'DA', value: '20260301' },
        { tag: Tag.ScheduledProcedureStepStartTime, vr: 'TM', value: '0930' },
        { tag: Tag.ScheduledProcedureStepID, vr: 'SH', value: step },
      ],
    ],
  },
  { tag: Tag.PlacerOrderNumberImagingServiceRequest, vr: 'LO', value: `P-${accession}` },
]

const search = (fields: object, person = reviewer) =>
  call('destination/search', {
    sid: person.sid,
    uuid: destination,
    copy_to: gate.namespaceUuid,
    worklist: 1,
    ...fields,
  })
const answer = async (uuid: string, person = reviewer) =>
  (await call('destination/search/get', { sid: person.sid, uuid })).body
const searched = async (fields: object) => {
  const { uuid } = (await search(fields)).body
  await expect.poll(async () => (await answer(uuid)).state, { timeout: 20_000 }).not.toBe('waiting')
  return answer(uuid)
}

describe('[PROCESS-07][PROCESS-08] the worklist of a destination', () => {
  it('is asked for orders, and answers that fit nothing or name nobody are passed over', async () => {
    const nobody = item({ mrn: '', name: '', step: 'S-9' })
    ris.script.answers = [item({}), item({ mrn: 'OTHER', step: 'S-2' }), nobody]
    const found = await searched({ patientid: 'H-1' })
    expect(found).toMatchObject({ state: 'done', more: 0, results: [] })
    expect(found.orders).toEqual([
      expect.objectContaining({
        item: 0,
        patientid: 'H-1',
        patient_name: 'ORDERED^ADA',
        accession_number: 'A-1',
        order_number: 'P-A-1',
        modality: 'CT',
        scheduled_procedure_step_start_date: '20260301',
        scheduled_procedure_step_start_time: '0930',
        requested_procedure_description: 'CT Thorax',
      }),
    ])
    expect((await search({ patientid: 'H-1', study_description: 'x' })).body.error_type).toBe('INVALID_VALUE')
    expect((await search({})).body.error_type).toBe('INSUFFICIENT_CRITERIA')
    await query(`update destination set can_search_mwl = false where uuid = '${destination}'`)
    expect((await search({ patientid: 'H-1' })).body.error_type).toBe('NOT_SUPPORTED')
    await query(`update destination set can_search_mwl = true where uuid = '${destination}'`)
  })

  it('is read whatever character set it claims, one broken item beside the others', async () => {
    const broken = item({ charset: 'ISO_IR 999', name: 'Müller^Jörg', accession: 'A-2', step: 'S-2' })
    const mislabelled = item({ charset: 'ISO_IR 192', name: 'Müller^Jörg', accession: 'A-3', step: 'S-3' })
    ris.script.answers = [broken, item({}), mislabelled]
    const { state, orders } = await searched({ patientid: 'H-1' })
    expect([state, orders.map((one: { accession_number: string }) => one.accession_number)]).toEqual([
      'done',
      ['A-2', 'A-1', 'A-3'],
    ])
    // nothing is guessed of a set that is not known, or that the bytes are not of
    const unread = 'M\ufffdller^J\ufffdrg'
    const names = orders.map((one: { patient_name: string }) => one.patient_name)
    expect(names).toEqual([unread, 'ORDERED^ADA', unread])
  })

  it.each([
    ['Latin-1 said to be UTF-8', 'ISO_IR 192', 'Müller^Jörg'],
    ['UTF-8 said to be Latin-1', 'ISO_IR 100', Buffer.from('Müller^Jörg').toString('latin1')],
    ['a set that nobody knows', 'ISO_IR 999', 'Müller^Jörg'],
    ['bytes of no set that is named', '', 'Müller^Jörg'],
    ['an escape that is none', 'ISO 2022 IR 6\\ISO 2022 IR 87', '\u001b$Xabc^def'],
  ])('gives an order its numbers and never its name where that is %s', async (_case, charset, name) => {
    ris.script.answers = [
      item({ charset: charset || ' ', name, mrn: 'H-5', accession: `B-${charset.slice(-3)}`, step: name }),
    ]
    const { uuid, orders } = await searched({ patientid: 'H-5' })
    expect(orders[0].patient_name).toContain('\ufffd')
    const taken = await call('order/take', { sid: reviewer.sid, destination_search_id: uuid, item: 0 })
    expect(taken.body.status).toBe('OK')
    const order = (await call('order/get', { sid: reviewer.sid, uuid: taken.body.uuid })).body
    expect(order).toMatchObject({ patient_name: '', patientid: 'H-5', accession_number: `B-${charset.slice(-3)}` })
  })

  it('leaves no name of another patient on an order that is taken again without a readable one', async () => {
    const taken = async (name: string) => {
      ris.script.answers = [item({ mrn: 'H-8', accession: 'A-8', step: 'S-8', charset: 'ISO_IR 192', name })]
      const { uuid } = await searched({ patientid: 'H-8' })
      const reply = await call('order/take', { sid: reviewer.sid, destination_search_id: uuid, item: 0 })
      return (await call('order/get', { sid: reviewer.sid, uuid: reply.body.uuid })).body
    }
    const before = await taken('DOE^JANE')
    expect(before).toMatchObject({ patient_name: 'DOE^JANE' })
    expect(await taken('Müller^Jörg')).toMatchObject({ uuid: before.uuid, patient_name: '', patientid: 'H-8' })
  })

  it('gives no order where its numbers could not be read', async () => {
    const broken = [
      item({ mrn: 'H-\ufffd6', step: 'U-1' }),
      item({ mrn: 'H-6', accession: 'A-\ufffd', step: 'U-2' }),
      item({ mrn: '', name: 'M\ufffdller', step: 'U-3' }),
    ]
    ris.script.answers = broken
    const { uuid } = await searched({ patient_name: 'Müller' })
    const codes = []
    for (const at of broken.keys()) {
      const taken = await call('order/take', { sid: reviewer.sid, destination_search_id: uuid, item: at })
      codes.push([taken.body.error_type, taken.body.error_subtype])
    }
    expect(codes).toEqual([
      ['INVALID_FIELD', 'patientid'],
      ['INVALID_FIELD', 'order_number'],
      ['MISSING_FIELDS', ['patient_name', 'patientid']],
    ])
  })

  it('that gives a thousand answers is read without holding anybody up', async () => {
    ris.script.answers = Array.from({ length: 1_005 }, (_, at) => item({ accession: `A-${at}`, step: `S-${at}` }))
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const { orders, more } = await searched({ patientid: 'H-1' })
    delay.disable()
    expect([orders.length, more]).toEqual([1_000, 1])
    // the peer is in the same process: its work counts in
    expect(delay.max / 1e6).toBeLessThan(1_000)
  })

  it('of a peer that hangs, refuses or is not there ends in words', async () => {
    ris.script.classes = ['1.2.840.10008.1.1']
    expect(await searched({ patientid: 'H-1' })).toMatchObject({
      state: 'failed',
      message: 'The peer does not take queries (C-FIND)',
      orders: [],
    })
    await query(`update destination set port = 1 where uuid = '${destination}'`)
    const gone = await searched({ patientid: 'H-1' })
    expect(gone).toMatchObject({ state: 'failed', message: 'Nothing listens at the address of the peer' })
    await query(`update destination set port = ${ris.port} where uuid = '${destination}'`)
    // of a peer that hangs, other searches are not held up
    ris.script = { hangs: true }
    const hanging = (await search({ patientid: 'H-1' })).body.uuid
    await expect.poll(() => ris.open).toBe(1)
    ris.script = { answers: [item({})] }
    expect((await searched({ patientid: 'H-1' })).orders).toHaveLength(1)
    expect((await answer(hanging)).state).toBe('waiting')
    await query(`update work set state = 'cancelled' where payload ->> 'searchUuid' = '${hanging}'`)
  })
})

describe('[PROCESS-11] an item of a worklist', () => {
  it('is taken as one order of the group, by whoever searched, and the exam leaves under it', async () => {
    ris.script.answers = [item({ mrn: 'H-9', accession: 'ACC-9' })]
    const { uuid } = await searched({ patientid: 'H-9' })
    const take = (person = reviewer, at = 0) =>
      call('order/take', { sid: person.sid, destination_search_id: uuid, item: at })
    const order = (await take()).body.uuid
    expect((await take()).body.uuid).toBe(order)
    expect((await take(reviewer, 1)).body.error_type).toBe('NOT_FOUND')
    expect((await take(other)).body.error_type).toBe('NOT_FOUND')
    const got = (await call('order/get', { sid: reviewer.sid, uuid: order })).body
    expect(got).toMatchObject({
      source: 'worklist',
      patientid: 'H-9',
      accession_number: 'ACC-9',
      namespace_id: gate.namespaceUuid,
      sps: [{ modality: 'CT', scheduled_procedure_step_start_date: '20260301' }],
    })
    // changed there and taken again, it is the same order with what changed
    ris.script.answers = [item({ mrn: 'H-9', accession: 'ACC-9', birth: '19700204' })]
    const again = await searched({ patientid: 'H-9' })
    const taken = await call('order/take', { sid: reviewer.sid, destination_search_id: again.uuid, item: 0 })
    expect(taken.body.uuid).toBe(order)
    const { body: changed } = await call('order/get', { sid: reviewer.sid, uuid: order })
    expect(changed.patient_birth_date).toBe('19700204')

    const studyUid = newUid()
    await app.inject({
      method: 'POST',
      url: `/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${staff.sid}`,
      headers: { 'content-type': 'application/dicom' },
      payload: Buffer.from(madeImage({ studyUid, number: 1 })),
    })
    const recordIn = async (namespace: string) =>
      (
        await query<{ uuid: string }>(
          `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${namespace}'`,
        )
      )[0]?.uuid ?? ''
    const source = await recordIn(group.namespaceUuid)
    await call('study/sync', { sid: staff.sid, uuid: source, image_count: 1 })
    await call('study/share', { sid: staff.sid, uuid: source, group_id: gate.groupUuid })
    const nominated = await recordIn(gate.namespaceUuid)
    const { push_destination: field } = await ensureGateFields(services.db, accountUuid)
    const { patient_name, patient_birth_date, patient_sex } = changed
    const patient = { patientid: 'H-9', patient_name, patient_birth_date, patient_sex }
    const fields = { ...patient, accession_number: 'ACC-9', [`customfield-${field}`]: destination }
    await call('study/set', { sid: reviewer.sid, study_id: nominated, ...fields })
    const sent = await call('study/push/confirm', { sid: reviewer.sid, uuid: nominated, order_id: order })
    expect(sent.body.status).toBe('OK')
    const kept = await query(`select order_uuid from nomination where gate_uuid = '${nominated}'`)
    expect(kept).toEqual([{ order_uuid: order }])
  })

  it('is found among the steps of orders, by its order and by itself', async () => {
    const find = async (filter: object) =>
      (await call('order/sps/find', { sid: reviewer.sid, account_id: accountUuid, ...filter })).body.sps
    const [step] = await find({ 'filter.ord.accession_number.equals': 'ACC-9' })
    expect(step).toMatchObject({
      patientid: 'H-9',
      modality: 'CT',
      scheduled_procedure_step_id: 'S-1',
      study_uid: expect.stringMatching(/^2\.25\./),
      mpps_status: '',
    })
    expect(await find({ 'filter.order_sps.modality.equals': 'MR' })).toEqual([])
    expect(await find({ 'filter.order_sps.scheduled_procedure_step_start_date.ge': '20260302' })).toEqual([])
  })
})
