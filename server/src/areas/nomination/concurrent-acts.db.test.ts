import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { inPairs, type Nominated, openGate, pairsOf } from '../../../test/nominated-exam.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Two acts on one nomination at the same moment. The model is the system itself, asked one after the other: whatever two
 * people do at once must end as it would have ended in one of the two orders, with the same answers to both. Nothing stays
 * locked, and nothing is on its way to a destination that nobody sent.
 */

const app = await startTestApp()
const { query } = app
const { fields, clinician, one, ask, makeNominated, acts } = await openGate(app, (accountUuid) =>
  makeDestination(app, accountUuid),
)

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

const { inOrder, inReverse, atOnce } = inPairs(acts, makeNominated, stateOf)
const timesAtOnce = 2

it.each(pairsOf(Object.keys(acts)))(
  '[NOMINATE-03][PROCESS-14] %s while %s: as if one after the other',
  async (first, second) => {
    const orders = [await inOrder(first, second), await inReverse(first, second)]
    for (let time = 0; time < timesAtOnce; time += 1) {
      expect(orders).toContainEqual(await atOnce(first, second))
    }
  },
)
