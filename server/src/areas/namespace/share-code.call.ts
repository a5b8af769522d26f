import type { namespaceShareCode } from '@hilum/contract/calls/namespace'
import { readShareSettings } from '@hilum/contract/share-settings'
import { findCaller } from '../../access/find-caller.ts'
import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import { listAskedFields } from '../customfield/asked-fields.command.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { presentFlags } from '../role/permissions.presenter.ts'
import { perShareAddress } from '../session/attempt-rules.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { parseJson } from '../setting/parse-json.ts'
import { findSharePlace } from './namespace.sql.ts'
import { findUploadRules } from './upload-rules.command.ts'

/** The place of a share code, for anybody who knows it; a namespace is told of to its members only. */
export const shareCode: Handler<typeof namespaceShareCode> = async (request) => {
  const { services, input, fail } = request
  const code = input.share_code?.trim()
  if (!code && !input.namespace_id) throw fail('MISSING_FIELDS', { subtype: ['share_code'] })
  const byAddress = digestOf(addressKey(request.origin.clientAddress))
  // counted before it is tried, so that codes cannot be found by trying many
  if (code && !(await mayAttempt(services.db, 'share-code-address', byAddress, perShareAddress))) throw fail('LOCKOUT')
  const memberships = await membershipsOf(request)
  const asked = code ? { shareCode: code } : { namespaceUuid: input.namespace_id ?? '' }
  const place = await findSharePlace(services.db, asked)
  const membership = memberships.find((one) => one.namespaceUuid === place?.namespace_uuid)
  const isAsked = place && (!input.namespace_id || place.namespace_uuid === input.namespace_id)
  if (!isAsked || (!code && !membership)) throw fail('NOT_FOUND')
  if (code) await giveBackAttempt(services.db, 'share-code-address', byAddress)
  const { takesFiles, settings } = await findUploadRules(services.db, place)
  const shareSettings = readShareSettings(place.share_settings)
  return {
    share_code: place.share_code,
    share_description: place.share_description,
    share_type: place.kind,
    share_name: place.name,
    namespace_id: place.namespace_uuid,
    account_id: place.account_uuid,
    account_name: place.account_name,
    share_settings: membership ? place.share_settings : {},
    takes_uploads: shareSettings.takesUploads ? 1 : 0,
    confirm_before_upload: shareSettings.confirms ? 1 : 0,
    enable_dicom_wrapping: takesFiles ? 1 : 0,
    enable_dicomdir_scan: settings.enable_dicomdir_scan === '1' ? 1 : 0,
    enable_multipart_uploader: settings.enable_multipart_uploader === '1' ? 1 : 0,
    uid_root: services.config.uidRoot ?? '',
    upload_settings: parseJson(settings['upload_settings'] ?? '{}') ?? {},
    customfields: await listAskedFields(services.db, place.account_uuid),
    permissions: membership ? presentFlags(membership.permissions) : {},
    is_anonymous: 0,
  }
}

/** The call needs no session, so nobody has looked for the caller yet. */
async function membershipsOf({ services, origin }: CallRequest<typeof namespaceShareCode>) {
  const caller = origin.sid ? await findCaller(services.db, origin.sid, origin.clientAddress) : undefined
  return caller && !caller.derivedStudies ? caller.memberships() : []
}
