import { foldText } from '@hilum/dicom/person-name'
import { type Kysely, sql } from 'kysely'

/** Rows read at once. */
const batch = 5000

interface NamedRow {
  uuid: string
  patient_name: string
  search: string
}

/**
 * Names folded anew, as they are searched for: letters such as ł and ı, and kana, were left as they stood. Names of
 * plain letters read the same either way.
 */
export async function up<Tables>(db: Kysely<Tables>): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<NamedRow>`
      select uuid, patient_name, search
      from study
      where uuid > ${after}
        and (patient_name ~ '[^ -~]' or patient_name ~ '^ |  | $')
      order by uuid
      limit ${batch}
    `.execute(db)
    const stale = rows.filter((row) => foldText(row.patient_name) !== row.search)
    if (stale.length > 0) {
      await sql`
        update study as s
        set search = folded.search
        from unnest(
          ${stale.map(({ uuid }) => uuid)}::uuid[],
          ${stale.map((row) => foldText(row.patient_name))}::text[]
        ) as folded (uuid, search)
        where s.uuid = folded.uuid
      `.execute(db)
    }
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last.uuid
  }
}
