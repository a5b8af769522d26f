import type { linkUploadBegin } from '@hilum/contract/calls/link-upload'
import { maxLinkStudies, maxSender } from '@hilum/contract/limits'
import { isAcceptableUid } from '@hilum/dicom/uid'
import { writeAudit } from '../audit/audit.sql.ts'
import { listCapturedFields } from '../customfield/customfield.sql.ts'
import { readFilledForm } from '../customfield/field-values.policy.ts'
import type { Handler } from '../handler.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { announceUploads, saidBy, setSender } from './link-upload.sql.ts'
import { findUploader } from './uploader.command.ts'

const maxImages = 2 ** 31 - 1

export const begin: Handler<typeof linkUploadBegin> = async ({ services, input, raw, origin, fail }) => {
  const uploader = await findUploader(services, origin.sid, origin.clientAddress)
  if (!uploader) throw fail('EXPIRED')
  const { asker, request } = uploader
  const sender = input.sender?.trim() ?? ''
  if (sender.length > maxSender) throw fail('INVALID_FIELD', { subtype: 'sender' })
  const isGood = input.studies.every(
    ({ study_uid: uid, image_count: count }) =>
      isAcceptableUid(uid) && Number.isInteger(count) && count > 0 && count <= maxImages,
  )
  if (!isGood || input.studies.length > maxLinkStudies) throw fail('INVALID_FIELD', { subtype: 'studies' })
  const asked = request.by_share_code ? await listCapturedFields(services.db, request.account_uuid) : []
  const values = readFilledForm(asked, raw).filter(({ value }) => value !== '')
  const filled = Object.fromEntries(values.map(({ uuid, value }) => [uuid, value]))
  await services.db.transaction().execute(async (tx) => {
    const { count, fresh } = await announceUploads(tx, request, input.studies, filled)
    if (count > maxLinkStudies) throw fail('INVALID_FIELD', { subtype: 'studies' })
    if (sender) await setSender(tx, request.link_uuid, sender)
    await writeAudit(tx, {
      accountUuid: request.account_uuid,
      caller: asker,
      action: 'STUDY_UPLOAD_START',
      type: 'Link',
      objectUuid: request.namespace_uuid,
      phiNamespace: request.namespace_uuid,
      detail: { link: request.link_uuid, study_count: input.studies.length },
    })
    const subject = { account_uuid: request.account_uuid, phi_namespace: request.namespace_uuid }
    // saying the same once more begins nothing, and a share code needs no login
    if (fresh > 0) await tellEvent(tx, 'STUDY_UPLOAD_START', [subject], saidBy(request))
  })
  return {}
}
