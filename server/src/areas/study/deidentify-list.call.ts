import type { studyDeidentifyList } from '@hilum/contract/calls/study-deidentify'
import type { Handler } from '../handler.ts'
import { listCopies } from '../nameless/nameless-copy.sql.ts'

export const deidentifyList: Handler<typeof studyDeidentifyList> = async ({ services, on }) => {
  const rows = await listCopies(services.db, on.record.phi_namespace, on.record.uuid)
  return {
    copies: rows.map((row) => ({
      uuid: row.uuid,
      recipient: row.recipient,
      pseudonym: row.pseudonym,
      study_id: row.state === 'made' ? (row.copy_uuid ?? '') : '',
      copy_study_uid: row.copy_study_uid,
      study_uid: row.study_uid,
      dates: row.dates,
      days: row.days,
      state: row.state,
      message: row.message,
      images: row.images,
      left_out: row.left_out,
      created: row.created,
      created_by_name: row.created_by_name,
    })),
  }
}
