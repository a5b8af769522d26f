import type { studySet } from '@hilum/contract/calls/study'
import type { Handler } from '../handler.ts'
import { editStudy } from './edit-study.command.ts'
import { readSentTags } from './study-edit.ts'
import { setUnread } from './study-write.sql.ts'

export const set: Handler<typeof studySet> = async ({ services, input, caller, on, fail }) => {
  // who may only upload changes what he brought himself, and says so
  const isOwnUpload = input.use_upload_permission === 1 && on.record.created_by === caller.userUuid
  if (!on.permissions.has('study_edit') && !isOwnUpload) throw fail('NOT_PERMITTED')
  if (input.unread !== undefined) {
    await setUnread(services.db, caller.userUuid, on.record.phi_namespace, on.record.uuid, input.unread === 1)
  }
  const tags = readSentTags(input)
  const isChange =
    Object.keys(tags).length > 0 || input.integration_key !== undefined || input.work_status !== undefined
  if (isChange) {
    await editStudy(services, caller, on, {
      tags,
      ...(input.integration_key === undefined ? {} : { integrationKey: input.integration_key }),
      ...(input.work_status === undefined ? {} : { workStatus: input.work_status }),
      ...(input.row_version === undefined ? {} : { rowVersion: input.row_version }),
    })
  }
  return { uuid: on.record.uuid }
}
