import { mayDo } from '@hilum/contract/acts'
import type { studyElsewhere } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'
import { listSharing } from '../ingest/upload-check.sql.ts'

export const elsewhere: Handler<typeof studyElsewhere> = async ({ services, on }) => {
  const { imageCount, records } = await listSharing(services.db, on.record)
  const seen = records.filter((record) => !record.must_approve || mayDo('approveStudy', on))
  return {
    image_count: imageCount,
    studies: seen.map(({ uuid, study_date, study_description }) => ({ uuid, study_date, study_description })),
  }
}
