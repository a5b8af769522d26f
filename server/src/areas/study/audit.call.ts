import type { studyAudit } from '@hilum/contract/calls/study-acts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { recordAccess } from '../audit/record-access.command.ts'
import type { Handler } from '../handler.ts'

const maxDetailLength = 10_000

export const audit: Handler<typeof studyAudit> = async ({ services, input, caller, on, fail }) => {
  const { action, detail = '' } = input
  if (detail.length > maxDetailLength) throw fail('INVALID_FIELD', { subtype: 'detail' })
  const { record } = on
  // the server notes these two itself when pixels leave; a session's view or download stands in the history once
  if (detail === '' && (action === 'STUDY_VIEW' || action === 'STUDY_DOWNLOAD')) {
    await recordAccess(services.db, caller, on, action)
    return {}
  }
  await writeStudyAudit(services.db, caller, record, action, { text: detail })
  return {}
}
