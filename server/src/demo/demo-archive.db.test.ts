import { find, QueryClass } from '@hilum/dicom/dimse/query'
import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { findText } from '@hilum/dicom/values'
import { afterAll, expect, it } from 'vitest'
import { startTestApp } from '../../test/test-app.ts'
import { jobs } from '../areas/jobs.ts'
import { openDicomListener } from '../inbound/dimse/open-dicom-listener.ts'
import { startRunner } from '../inbound/worker/run-work.ts'
import { demoPlaceOf } from './demo-archive.ts'
import { makeDemo } from './make-demo.ts'

/* The whole way through the gate with nothing but the demo: over real associations with nodes of this installation. */

const { services, call, query } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const users = await makeDemo(services, { dicomPort: listeners.port })
const sids = new Map<string, string>()
for (const { email, password, organisation, role } of users) {
  if (organisation !== 'Northside Imaging') continue
  sids.set(role, (await call('session/login', { login: email, password })).body.sid)
}
const ask = async (role: string, path: string, input: object = {}) => {
  const { body } = await call(path, { sid: sids.get(role), ...input })
  expect([path, body.status, body.error_type, body.error_subtype]).toEqual([path, 'OK', undefined, undefined])
  return body
}
const accountUuid = (await ask('Administrator', 'account/list')).accounts[0].uuid
const { destinations } = await ask('Administrator', 'destination/list', { account_id: accountUuid })
const destinationOf = (name: string) => destinations.find((one: { name: string }) => one.name === name)

it('has a PACS and a worklist that answer their test', async () => {
  for (const name of ['Demo PACS', 'Demo worklist']) {
    const health = await ask('Administrator', 'destination/test', { uuid: destinationOf(name).uuid })
    expect([name, health.ok, health.steps]).toEqual([name, 1, expect.any(Array)])
  }
})

it('[RETRIEVE-05][PROCESS-07][PROCESS-14] takes a nominated study on the patient of its order, and gives it back to another group', async () => {
  const { studies } = await ask('Clinician', 'study/list')
  const study = studies.find((one: { patient_name: string }) => one.patient_name.startsWith("O'Connor"))
  const form = await ask('Clinician', 'study/nominate/form', { uuid: study.uuid })
  const [gate] = form.gatekeepers
  const [question] = gate.customfields
  const answer = { [`customfield-${question.uuid}`]: 'Follow-up here' }
  await ask('Clinician', 'study/share', { uuid: study.uuid, group_id: gate.uuid, ...answer })

  const [nominated] = (await ask('Gatekeeper reviewer', 'study/list', { 'filter.study_uid.equals': study.study_uid }))
    .studies
  const orders = await ask('Gatekeeper reviewer', 'order/list', {
    account_id: accountUuid,
    'filter.patientid.equals': study.patientid,
  })
  const [order] = orders.orders
  expect(order).toMatchObject({ patient_name: study.patient_name, patient_birth_date: study.patient_birth_date })
  const field = await query<{ uuid: string }>(
    `select uuid from customfield where gate_key = 'push_destination' and account_uuid = '${accountUuid}'`,
  )
  await ask('Gatekeeper reviewer', 'study/set', {
    study_id: nominated.uuid,
    patientid: order.patientid,
    accession_number: order.accession_number,
    [`customfield-${field[0]?.uuid}`]: destinationOf('Demo PACS').uuid,
  })
  await ask('Gatekeeper reviewer', 'study/push/confirm', { uuid: nominated.uuid })
  const state = async () => (await ask('Clinician', 'study/get', { uuid: study.uuid })).nomination.state
  await expect.poll(state, { timeout: 10_000 }).toBe('completed')

  const { namespaces } = await ask('Administrator', 'user/namespace/list')
  const outpatients = namespaces.find((one: { name: string }) => one.name === 'Outpatient Imaging')
  const searched = await ask('Administrator', 'destination/search', {
    uuid: destinationOf('Demo PACS').uuid,
    copy_to: outpatients.uuid,
    accession_number: order.accession_number,
  })
  const found = async () =>
    (await call('destination/search/get', { sid: sids.get('Administrator'), uuid: searched.uuid })).body
  await expect.poll(async () => (await found()).state, { timeout: 10_000 }).toBe('done')
  expect((await found()).results).toMatchObject([
    { study_uid: study.study_uid, accession_number: order.accession_number },
  ])
  await ask('Administrator', 'destination/retrieve', {
    destination_search_id: searched.uuid,
    study_uid: study.study_uid,
  })
  const retrieved = async () => (await found()).results[0].retrieval?.state
  await expect.poll(retrieved, { timeout: 10_000 }).toBe('done')
  const here = await ask('Administrator', 'study/list', {
    'filter.phi_namespace.equals': outpatients.uuid,
    'filter.study_uid.equals': study.study_uid,
  })
  expect(here.studies).toMatchObject([
    { accession_number: order.accession_number, image_count: study.image_count, mrn_outside: 0 },
  ])
})

it('tells the orders as a worklist to programs of this machine', async () => {
  const { address, port } = destinationOf('Demo worklist')
  const peer = { host: address, port, calledTitle: 'DEMO_WORKLIST', callingTitle: 'CT_ROOM_1' }
  const proposal = { abstractSyntax: QueryClass.WorklistFind, transferSyntaxes: [ExplicitLittleEndian] }
  const association = await requestAssociation(peer, [proposal])
  const accessions: (string | undefined)[] = []
  const keys = [{ tag: Tag.AccessionNumber, vr: 'SH', value: '' }]
  await find(association, QueryClass.WorklistFind, keys, (answer) => {
    accessions.push(findText(answer, Tag.AccessionNumber))
    return 'more'
  })
  await association.release()
  expect(accessions.toSorted()).toEqual(['NS26-0001', 'NS26-0002', 'NS26-0003', 'NS26-0004', 'NS26-0005'])
})

it('follows the DICOM listener to another port, and is not made where the listener is not called on this machine', async () => {
  expect(await makeDemo(services, { dicomPort: 4242 })).toEqual([])
  expect(await query(`select distinct port from destination`)).toEqual([{ port: 4242 }])
  expect([demoPlaceOf('0.0.0.0', 1), demoPlaceOf('::', 1), demoPlaceOf('10.0.0.5', 1)]).toEqual([
    { address: '127.0.0.1', port: 1 },
    { address: '::1', port: 1 },
    undefined,
  ])
})
