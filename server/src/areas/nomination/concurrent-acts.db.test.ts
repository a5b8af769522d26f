import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { ensureGateFields } from './gate-fields.sql.ts'

/*
 * Two acts on one nomination at the same moment. The model is the system itself, asked one after the other: whatever two
 * people do at once must end as it would have ended in one of the two orders, with the same answers to both. Nothing stays
 * locked, and nothing is on its way to a destination that nobody sent.
 */

const { services, call, query, app } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const fields = await ensureGateFields(services.db, accountUuid)
const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER' } })
const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
const clinician = await organisation.addPerson({ role: 'Staff', groups: [cloud] })
const [one, other] = [
  await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] }),
  await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] }),
]
const { uuid: destination } = await makeDestination({ query }, accountUuid)
const ask = async (path: string, sid: string, sent: object) => (await call(path, { sid, ...sent })).body

interface Nominated {
  studyUid: string
  source: string
  gateSide: string
  version: number
}

async function upload(studyUid: string, number: number, patientName: string): Promise<string> {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${cloud.namespaceUuid}/image?sid=${clinician.sid}`,
    headers: { 'content-type': 'application/dicom' },
    payload: Buffer.from(madeImage({ studyUid, number, patientName, patientId: patientName, birthDate: '19700101' })),
  })
  return reply.statusCode === 202 ? 'OK' : `upload ${reply.statusCode}`
}

/** A nomination that a reviewer has chosen a destination for. */
async function makeNominated(): Promise<Nominated> {
  const studyUid = newUid()
  await upload(studyUid, 1, 'DOE^JANE')
  const recordIn = async (namespace: string) => {
    const [row] = await query<{ uuid: string }>(
      `select uuid from study where study_uid = '${studyUid}' and phi_namespace = '${namespace}'`,
    )
    return row?.uuid ?? ''
  }
  const source = await recordIn(cloud.namespaceUuid)
  await ask('study/sync', clinician.sid, { uuid: source, image_count: 1 })
  await ask('study/share', clinician.sid, { uuid: source, group_id: gate.groupUuid })
  const gateSide = await recordIn(gate.namespaceUuid)
  const chosen = { [`customfield-${fields['push_destination']}`]: destination }
  const { row_version: version } = await ask('study/set', one.sid, { study_id: gateSide, ...chosen })
  return { studyUid, source, gateSide, version }
}

const reject = (sid: string, { gateSide }: Nominated, reason: string) =>
  ask('study/set', sid, {
    study_id: gateSide,
    [`customfield-${fields['is_process_form_rejected']}`]: '1',
    [`customfield-${fields['process_rejection_reason']}`]: reason,
  })
const said = ({ status, error_type: error }: { status: string; error_type?: string }) => error ?? status

/** Acts of people, each with its answer. */
const acts: Record<string, (on: Nominated) => Promise<string>> = {
  'one sends': async ({ gateSide }) => said(await ask('study/push/confirm', one.sid, { uuid: gateSide })),
  'another sends what was seen': async ({ gateSide, version }) =>
    said(await ask('study/push/confirm', other.sid, { uuid: gateSide, row_version: version })),
  'another rejects': async (on) => said(await reject(other.sid, on, 'No indication')),
  'the sender cancels': async ({ source }) =>
    said(await ask('study/share/stop', clinician.sid, { uuid: source, group_id: gate.groupUuid })),
  'the sender nominates again': async ({ source }) =>
    said(await ask('study/share', clinician.sid, { uuid: source, group_id: gate.groupUuid })),
  'one edits': async ({ gateSide }) => said(await ask('study/set', one.sid, { study_id: gateSide, patientid: 'H-1' })),
  'the sender edits': async ({ source }) =>
    said(await ask('study/set', clinician.sid, { study_id: source, accession_number: 'A-1' })),
  "another patient's image comes": ({ studyUid }) => upload(studyUid, 2, 'ROE^RICHARD'),
  'another locks': async ({ gateSide }) => said(await ask('study/lock', other.sid, { uuid: gateSide })),
}

/** All that people see of a nomination afterwards; what never must be ends the test. */
async function stateOf({ studyUid, source, gateSide }: Nominated): Promise<unknown> {
  const given = await ask('study/get', clinician.sid, { uuid: source, customfield_h: 1 })
  const got = await ask('study/get', one.sid, { uuid: gateSide, customfield_h: 1 })
  const pushes = await query<{ status: string }>(`select status from push where study_uuid = '${gateSide}'`)
  const states = await query<{ state: string }>(
    `select state from nomination where study_uuid = '${source}' order by submitted_at, uuid`,
  )
  const live = states.filter(({ state }) => state !== 'cancelled')
  expect(live.length).toBeLessThanOrEqual(1)
  // a push is there exactly where the nomination was sent
  expect(pushes.length).toBe(states.filter(({ state }) => state === 'sent').length)
  if (got.nomination) expect(got.nomination.state).toBe(given.nomination?.state)
  expect(given.customfield_h[fields['nomination_push_status'] ?? '']).toBe(pushes[0]?.status ?? '')
  const [waiting] = await query<{ count: number }>(`
    select count(*)::integer as count from work w join push p on w.payload ->> 'pushUuid' = p.uuid::text
    where p.study_uuid = '${gateSide}'`)
  expect(waiting?.count).toBe(pushes.length)
  return {
    states: states.map(({ state }) => state),
    source: [given.nomination?.state, given.accession_number, given.mixed_patients],
    gate: [got.error_type, got.nomination?.state, got.patientid, got.must_approve, got.mixed_patients, got.is_locked],
    records: await query(`select count(*)::integer as count from study where study_uid = '${studyUid}'`),
  }
}

type Outcome = { answers: Record<string, string>; state: unknown }

async function inOrder(first: string, second: string): Promise<Outcome> {
  const on = await makeNominated()
  const answers = { [`1 ${first}`]: (await acts[first]?.(on)) ?? '', [`2 ${second}`]: (await acts[second]?.(on)) ?? '' }
  return { answers, state: await stateOf(on) }
}

async function atOnce(first: string, second: string): Promise<Outcome> {
  const on = await makeNominated()
  const [a, b] = await Promise.all([acts[first]?.(on), acts[second]?.(on)])
  return { answers: { [`1 ${first}`]: a ?? '', [`2 ${second}`]: b ?? '' }, state: await stateOf(on) }
}

const names = Object.keys(acts)
const pairs = names.flatMap((first, at) => names.slice(at).map((second) => [first, second] as const))
const timesAtOnce = 2

it.each(pairs)('[NOMINATE-03][PROCESS-14] %s while %s: as if one after the other', async (first, second) => {
  const forward = await inOrder(first, second)
  const { answers, state } = await inOrder(second, first)
  // the answers of the other order, named as in this one
  const [a, b] = Object.values(answers)
  const backward = { answers: { [`1 ${first}`]: b, [`2 ${second}`]: a }, state }
  for (let time = 0; time < timesAtOnce; time += 1) {
    const together = await atOnce(first, second)
    expect([forward, backward]).toContainEqual(together)
  }
})
