import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { up } from '../../db/migrations/0350-waiting-nominations.ts'
import { ensureGateFields } from './gate-fields.sql.ts'

/*
 * An exam that was nominated stands in one view of its gatekeeper group, whatever was done with it before: each walk is a
 * row of acts, and after each act the view is that of the state of the nomination.
 */

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const fields = await ensureGateFields(services.db, accountUuid)
const ask = async (path: string, { sid }: Person, sent: object = {}) => (await call(path, { sid, ...sent })).body
const fieldOf = (key: string) => `customfield-${fields[key]}`

const gate = await organisation.addGroup({ config: { group_designation: 'GATEKEEPER', risk_line: 'ALL' } })
const cloud = await organisation.addGroup({ config: { pacs_promote_groups: [gate.groupUuid] } })
const clinician = await organisation.addPerson({ groups: [cloud] })
const first = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
const second = await organisation.addPerson({ role: 'Gatekeeper reviewer', groups: [gate] })
const registrar = await organisation.addPerson({ role: 'Administrator', groups: [gate] })
const toA = (await makeDestination({ query }, accountUuid, { title: 'A' })).uuid
const toB = (await makeDestination({ query }, accountUuid, { title: 'B' })).uuid

/** The exams come without a number. */
const withoutMrn = { mrn_reason: 'The archive gives one' }

/** The filters of the screen (`web/src/queries/study-view.ts`), by the state of the nomination that a view is for. */
const views = {
  nominated: { 'filter.must_approve.equals': 1, 'filter.study_push_status.not_equals': 'rejected' },
  queued: { 'filter.study_push_status.in': ['I', 'N', 'P'] },
  rejected: { 'filter.study_push_status.equals': 'rejected' },
  completed: { 'filter.study_push_status.equals': 'S' },
  failed: { 'filter.study_push_status.equals': 'F' },
}

/** An exam in this state, and in its view alone; its push has failed for all who look, or for nobody. */
const only = (state: string) => {
  const failed = state === 'failed' ? 1 : 0
  return { state, shown: [state], failed, stuck: failed }
}

/** Failed pushes that the page of what is stuck counts. */
async function countStuck(): Promise<number> {
  const { stuck } = await ask('account/stuck', registrar, { account_id: accountUuid })
  const pushes = (stuck as { code: string; count: number }[]).filter(({ code }) => code === 'PUSHES_FAILED')
  return pushes.reduce((sum, { count }) => sum + count, 0)
}

async function makeNominated() {
  const stuckBefore = await countStuck()
  const study = await makeStudy(services.db, { ...cloud, accountUuid }, { patient_name: 'DOE^JANE' })
  const nominate = () => ask('study/share', clinician, { uuid: study.uuid, group_id: gate.groupUuid })
  await nominate()
  const listed = async (filter: object): Promise<{ uuid: string; study_uid: string }[]> =>
    (await ask('study/list', first, { 'filter.phi_namespace.equals': gate.namespaceUuid, ...filter })).studies
  const { study_uid: studyUid } = await ask('study/get', clinician, { uuid: study.uuid })
  const atGate = async () => (await listed({ 'filter.study_uid.equals': studyUid }))[0]?.uuid ?? ''
  const match = async (by: Person, to: string) => {
    const uuid = await atGate()
    await ask('study/set', by, { study_id: uuid, [fieldOf('push_destination')]: to })
    return ask('study/push/confirm', by, { uuid, ...withoutMrn })
  }
  const pushIs = async (status: string) =>
    query(`update push set status = '${status}', updated = now()
      where study_uuid = '${await atGate()}' and status not in ('S', 'F')`)
  const acts = {
    'one matches for A': () => match(first, toA),
    'one matches for B': () => match(first, toB),
    'another confirms': async () => ask('study/push/confirm', second, { uuid: await atGate(), ...withoutMrn }),
    'it is partly sent': () => pushIs('P'),
    'it fails': () => pushIs('F'),
    'it arrives': () => pushIs('S'),
    'it is retried': async () => ask('study/push', registrar, { uuid: await atGate(), destination_id: toA }),
    'one rejects': async () =>
      ask('study/set', first, {
        study_id: await atGate(),
        [fieldOf('is_process_form_rejected')]: '1',
        [fieldOf('process_rejection_reason')]: 'No indication',
      }),
    'it is nominated again': nominate,
    'it is deleted and restored': async () => {
      const uuid = await atGate()
      await ask('study/delete', registrar, { uuid })
      return ask('study/revive', registrar, { uuid })
    },
  } satisfies Record<string, () => Promise<unknown>>
  /** The views that show the exam, the state that it tells, and its failed pushes on its panel and among what is stuck. */
  const seen = async () => {
    const { nomination, study_push_status: pushes } = await ask('study/get', first, { uuid: await atGate() })
    const lists = Object.entries(views).map(async ([view, filter]) => ({ view, rows: await listed(filter) }))
    const shown = (await Promise.all(lists)).filter(({ rows }) => rows.some((one) => one.study_uid === studyUid))
    const failed = (pushes as { status: string; is_overtaken: number }[]).filter(
      ({ status, is_overtaken: isOvertaken }) => status === 'F' && isOvertaken === 0,
    ).length
    const stuck = (await countStuck()) - stuckBefore
    return { state: nomination?.state as string, shown: shown.map(({ view }) => view), failed, stuck }
  }
  return { acts, seen, atGate }
}
type Act = keyof Awaited<ReturnType<typeof makeNominated>>['acts']

it('[LIST-05][LIST-06][LIST-07] an exam that one person matches anew after a failed push waits in Nominations alone, then stands in Rejected alone', async () => {
  const { acts, seen, atGate } = await makeNominated()
  expect(await seen()).toEqual(only('nominated'))
  expect(await acts['one matches for A']()).toMatchObject({ error_type: 'SECOND_PERSON' })
  expect(await seen()).toEqual(only('nominated'))
  expect(await acts['another confirms']()).toMatchObject({ status: 'OK' })
  expect(await seen()).toEqual(only('queued'))
  await acts['it fails']()
  expect(await seen()).toEqual(only('failed'))
  expect(await acts['one matches for A']()).toMatchObject({ error_type: 'SECOND_PERSON' })
  expect(await seen()).toEqual(only('nominated'))
  // nobody sends it past the second person meanwhile
  expect(await acts['it is retried']()).toMatchObject({ error_type: 'SECOND_PERSON' })
  expect(await seen()).toEqual(only('nominated'))
  await acts['one rejects']()
  expect(await seen()).toEqual(only('rejected'))
  expect(await ask('study/get', first, { uuid: await atGate() })).toMatchObject({ must_approve: 1 })
})

it('[PROCESS-14] the second person sends what was matched anew', async () => {
  const { acts, seen } = await makeNominated()
  await acts['one matches for A']()
  await acts['another confirms']()
  await acts['it fails']()
  await acts['one matches for A']()
  expect(await acts['another confirms']()).toMatchObject({ status: 'OK' })
  expect(await seen()).toEqual(only('queued'))
  await acts['it arrives']()
  expect(await seen()).toEqual(only('completed'))
})

it('what the arrival of an exam has happen happens at its first approval, and not where it waited again', async () => {
  const told = async (uuid: string) => {
    const [row] = await query<Record<string, number>>(`select
      (select count(*)::integer from audit where object_uuid = '${uuid}' and action = 'APPROVE') as approved,
      (select count(*)::integer from audit where type = 'Study_share' and action = 'APPROVE'
        and detail->>'share' = (select share_uuid::text from nomination where gate_uuid = '${uuid}')) as share_approved,
      (select count(*)::integer from webhook_delivery where study_uuid = '${uuid}') as webhooks,
      (select count(*)::integer from mail) as mails`)
    return row
  }
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const webhook = {
    account_id: accountUuid,
    name: 'Arrivals',
    url: 'https://ris.hospital.example/hook',
    method: 'POST_JSON' as const,
  }
  for (const event of ['STUDY_APPROVE', 'STUDY_WAS_SHARED'])
    expect(await ask('webhook/add', admin, { ...webhook, name: event, event })).toMatchObject({ status: 'OK' })
  const { acts, atGate } = await makeNominated()
  await acts['one matches for A']()
  await acts['another confirms']()
  const once = await told(await atGate())
  expect(once).toMatchObject({ approved: 1, share_approved: 1, webhooks: 2 })
  await acts['it fails']()
  await acts['one matches for A']()
  // a rule that looked at it meanwhile waits for the approval, and is woken by each
  await query(`delete from work where key = '${await atGate()}'`)
  expect(await acts['another confirms']()).toMatchObject({ status: 'OK' })
  expect(await told(await atGate())).toEqual({ ...once, approved: 2 })
  expect(await query(`select from work where key = '${await atGate()}'`)).toHaveLength(1)
})

it('[LIST-06] an exam that failed at one destination and was sent to another stands where the other leaves it', async () => {
  const { acts, seen } = await makeNominated()
  await acts['one matches for A']()
  await acts['another confirms']()
  await acts['it fails']()
  await acts['one matches for B']()
  expect(await seen()).toEqual(only('nominated'))
  await acts['another confirms']()
  expect(await seen()).toEqual(only('queued'))
  await acts['it arrives']()
  expect(await seen()).toEqual(only('completed'))
})

it('[LIST-07] an exam that waited again in a release before stands in Nominations after the upgrade', async () => {
  const { acts, seen, atGate } = await makeNominated()
  await acts['one matches for A']()
  await acts['another confirms']()
  await acts['it fails']()
  await acts['one matches for A']()
  await query(`update study set must_approve = false where uuid = '${await atGate()}'`)
  await up(services.db)
  expect(await seen()).toEqual(only('nominated'))
  // what was sent stays sent
  await acts['another confirms']()
  await up(services.db)
  expect(await seen()).toEqual(only('queued'))
})

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

it.each(Array.from({ length: 6 }, (_, seed) => seed + 1))(
  '[LIST-05][LIST-06][LIST-07] whatever is done, an exam stands in the view of its state and in no other: walk %i',
  async (seed) => {
    const { acts, seen } = await makeNominated()
    const names = Object.keys(acts) as Act[]
    const random = randomOf(seed)
    const walked: string[] = []
    for (let step = 0; step < 12; step += 1) {
      const name = names[Math.floor(random() * names.length)] as Act
      walked.push(name)
      await acts[name]()
      const now = await seen()
      expect({ walked, ...now }).toEqual({ walked, ...only(now.state) })
    }
  },
)
