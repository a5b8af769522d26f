import { randomUUID } from 'node:crypto'
import type { TestApp } from './test-app.ts'

/** A separation of a study that came to nothing, as a row alone. */
export async function makeSeparation(
  { query }: Pick<TestApp, 'query'>,
  studyUuid: string,
  userUuid: string,
): Promise<string> {
  const uuid = randomUUID()
  await query(`insert into separation (uuid, account_uuid, phi_namespace, study_uuid, study_uid, study_generation,
      study_key, to_study_uid, state, moved_identities, kept_identities, kept_demographics, series_uids,
      up_to_seq, images, user_uuid)
    select '${uuid}', s.account_uuid, s.phi_namespace, s.uuid, s.study_uid, 1, 0, '2.25.1', 'failed',
      '[]', '[]', '{}', '{}', 0, 0, '${userUuid}'
    from study s
    where s.uuid = '${studyUuid}'`)
  return uuid
}
