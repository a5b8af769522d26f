import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** The word that the MRN of a record is that of all its images, of which some carry another one. */
interface MrnOfAll {
  /** The numbers that the images carried by then. */
  mrns: string[]
  /** Of somebody who belongs to the organisation of the record; else empty. */
  by_name: string
  at: string
}

export async function findMrnOfAll(
  db: Db,
  record: { phi_namespace: string; uuid: string },
): Promise<MrnOfAll | undefined> {
  const { rows } = await sql<MrnOfAll>`
    select coalesce(e.edit -> 'mrns', '[]') as mrns, coalesce(trim(u.first_name || ' ' || u.last_name), '') as by_name,
      to_char((e.edit ->> 'when')::timestamptz at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as at
    from study s
    cross join lateral jsonb_array_elements(s.edits) as e (edit)
    left join account_user au on au.account_uuid = s.account_uuid and au.user_uuid::text = e.edit ->> 'who'
    left join app_user u on u.uuid = au.user_uuid
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
      and e.edit ->> 'tag' = 'patientid' and e.edit ->> 'isOfAll' = 'true'
  `.execute(db)
  return rows[0]
}
