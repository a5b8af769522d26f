import { mayDo } from '@hilum/contract/acts'
import type { studySet } from '@hilum/contract/calls/study'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { readFieldValues, sendsFieldValues } from '../customfield/field-values.policy.ts'
import type { Handler } from '../handler.ts'
import { demandFieldAccess } from './field-access.policy.ts'
import { editStudy } from './edit-study.command.ts'
import { readSentColumns, readSentTags, readText } from './study-edit.ts'
import { setUnread } from './study-write.sql.ts'

/** A record's readers may mark it read or new for themselves; taking work takes study_status_edit; all else editing. */
export const set: Handler<typeof studySet> = async ({ services, input, raw, caller, on, fail }) => {
  const tags = readSentTags(input)
  const columns = readSentColumns(input)
  const isEdit = Object.keys(tags).length > 0 || Object.keys(columns).length > 0 || sendsFieldValues(raw)
  if (!isEdit && input.work_status === undefined && input.unread === undefined) throw fail('STUDY_SET_PARAMS_EMPTY')
  // who may only upload changes what he brought himself, and says so
  const isOwnUpload = input.use_upload_permission === 1 && mayDo('describeOwnUpload', on)
  if (isEdit && !isOwnUpload && !mayDo('changeStudy', on)) throw fail('NOT_PERMITTED')
  if (input.work_status !== undefined && !isOwnUpload && !mayDo('setWorkStatus', on)) throw fail('NOT_PERMITTED')
  const definitions = sendsFieldValues(raw) ? await listDefinitions(services.db, [on.record.account_uuid], 'Study') : []
  const values = readFieldValues(definitions, raw)
  // what he brought himself he describes, whatever the role leaves of it later
  if (!isOwnUpload) demandFieldAccess(on.membership.fieldFlags, tags, values, definitions)
  // an edit compares it again, under its lock
  if (input.row_version !== undefined && input.row_version !== on.record.row_version) throw fail('STALE')
  if (input.unread !== undefined) {
    await setUnread(services.db, caller.userUuid, on.record.phi_namespace, on.record.uuid, input.unread === 1)
  }
  if (isEdit || input.work_status !== undefined) {
    await editStudy(services, caller, on, {
      tags,
      values,
      columns,
      ...(input.work_status === undefined ? {} : { workStatus: input.work_status }),
      ...(input.mrn_reason ? { mrnReason: readText('mrn_reason', input.mrn_reason) } : {}),
      ...(input.row_version === undefined ? {} : { rowVersion: input.row_version }),
    })
  }
  return { uuid: on.record.uuid }
}
