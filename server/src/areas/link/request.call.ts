import type { linkRequest } from '@hilum/contract/calls/link-upload'
import { readShareSettings } from '@hilum/contract/share-settings'
import { listAskedFields } from '../customfield/asked-fields.command.ts'
import type { Handler } from '../handler.ts'
import { findUploadRules } from '../namespace/upload-rules.command.ts'
import { isSaid } from './link.presenter.ts'
import { listAnnounced } from './link-upload.sql.ts'
import { findUploader } from './uploader.command.ts'

/** A patient is named behind a password alone: an address may be in other hands by then. */
export const request: Handler<typeof linkRequest> = async ({ services, origin, fail }) => {
  const uploader = await findUploader(services, origin.sid, origin.clientAddress)
  if (!uploader) throw fail('EXPIRED')
  const { request: one } = uploader
  const { takesFiles } = await findUploadRules(services.db, one)
  const studies = await listAnnounced(services.db, one.link_uuid)
  return {
    account_name: one.account_name,
    namespace_name: one.namespace_name,
    requested_by: one.requested_by,
    message: one.message,
    expected: one.asks_password && isSaid(one.expected) ? one.expected : null,
    expected_exam: isSaid(one.expected_exam) ? one.expected_exam : null,
    sender: one.sender,
    by_share_code: one.by_share_code ? 1 : 0,
    confirm_before_upload: readShareSettings(one.share_settings).confirms ? 1 : 0,
    customfields: one.by_share_code ? await listAskedFields(services.db, one.account_uuid) : [],
    takes_files: takesFiles ? 1 : 0,
    max_bytes: one.max_bytes,
    left_bytes: one.left_bytes,
    uid_root: services.config.uidRoot ?? '',
    expires_at: one.expires_at,
    studies: studies.map(({ study_uid, image_count, is_complete }) => ({
      study_uid,
      image_count,
      is_complete: is_complete ? 1 : 0,
    })),
  }
}
