import { expect } from 'vitest'
import { findContent } from '../src/areas/push/push.sql.ts'
import type { Nominated, openGate } from './nominated-exam.ts'
import type { TestApp } from './test-app.ts'

/**
 * All that people see of a nomination, and whether what leaves is what is there; what never must be ends the test. No work
 * of the queue runs meanwhile.
 */
export function stateOfNominations(
  { services, query }: TestApp,
  { fields, clinician, one, ask }: Awaited<ReturnType<typeof openGate>>,
) {
  const pushStatus = fields['nomination_push_status'] ?? ''
  return async ({ studyUid, mrn, source, gateSide, order, leaver }: Nominated): Promise<unknown> => {
    const given = await ask('study/get', clinician.sid, { uuid: source, customfield_h: 1 })
    const got = await ask('study/get', one.sid, { uuid: gateSide, customfield_h: 1 })
    const pushes = await query<{ status: string; content: string; phi_namespace: string }>(
      `select status, content, phi_namespace from push where study_uuid = '${gateSide}'`,
    )
    const states = await query<{ state: string }>(
      `select state from nomination where study_uuid = '${source}' order by submitted_at, uuid`,
    )
    const live = states.filter(({ state }) => state !== 'cancelled')
    expect(live.length).toBeLessThanOrEqual(1)
    // a push is there exactly where the nomination was sent
    expect(pushes.length).toBe(states.filter(({ state }) => state === 'sent').length)
    if (got.nomination) expect(got.nomination.state).toBe(given.nomination?.state)
    if (given.customfield_h) expect(given.customfield_h[pushStatus]).toBe(pushes[0]?.status ?? '')
    const [waiting] = await query<{ count: number }>(`
      select count(*)::integer as count from work w join push p on w.payload ->> 'pushUuid' = p.uuid::text
      where p.study_uuid = '${gateSide}'`)
    expect(waiting?.count).toBe(pushes.length)
    const [push] = pushes
    const seen = {
      states: states.map(({ state }) => state),
      source: [
        given.error_type,
        given.nomination?.state,
        given.accession_number,
        given.mixed_patients,
        given.image_count,
      ],
      gate: [
        got.error_type,
        got.nomination?.state,
        got.nomination?.asked?.by_name,
        got.nomination?.asked?.is_valid,
        got.patientid,
        got.must_approve,
        got.mixed_patients,
        got.is_locked,
        got.image_count,
      ],
      isAllConfirmed: push && push.content === (await findContent(services.db, push.phi_namespace, gateSide)),
      order:
        order &&
        (await query(
          `select patientid, cancelled_at is null as holds from imaging_order where uuid = '${order.uuid}'`,
        )),
      sentBy: await query(`
        select n.order_uuid is not null as by_order, n.asked_by = n.decided_by as by_one
        from nomination n
        where n.study_uuid = '${source}'
        order by n.submitted_at, n.uuid`),
      records: await query(`select count(*)::integer as count from study where study_uid = '${studyUid}'`),
    }
    const named = JSON.stringify(seen).replaceAll(mrn, 'MRN')
    return JSON.parse(leaver ? named.replaceAll(leaver.name, 'leaver') : named)
  }
}
