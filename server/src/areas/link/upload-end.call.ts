import type { linkUploadEnd } from '@hilum/contract/calls/link-upload'
import { findRecordByUid } from '../../access/study-record.sql.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { completeStudy } from '../ingest/complete-study.command.ts'
import { publicAddress } from '../mail/public-address.ts'
import { endUpload } from './ended-upload.sql.ts'
import { saidBy } from './link-upload.sql.ts'
import { tellEnded, tellUploaded } from './tell-use.command.ts'
import { findUploader } from './uploader.command.ts'

/** A study that was there before is left to fall quiet: somebody else may be sending it. */
export const end: Handler<typeof linkUploadEnd> = async ({ services, input, origin, fail }) => {
  const uploader = await findUploader(services, origin.sid, origin.clientAddress)
  if (!uploader) throw fail('EXPIRED')
  const { asker, request } = uploader
  const { db } = services
  const record = await findRecordByUid(db, request.namespace_uuid, input.study_uid)
  await db.transaction().execute(async (tx) => {
    if (record?.created_by === request.link_uuid) await completeStudy(tx, record, new Date())
    // one of which nothing came, or that was never announced, is told of by nobody
    const ended = await endUpload(tx, request.link_uuid, input.study_uid)
    if (!ended) return
    await tellEnded(tx, request.link_uuid, publicAddress(services.config, origin))
    await writeAudit(tx, {
      accountUuid: request.account_uuid,
      caller: asker,
      action: 'STUDY_UPLOAD_END',
      type: 'Link',
      objectUuid: request.namespace_uuid,
      phiNamespace: request.namespace_uuid,
      detail: { link: request.link_uuid, ...(record ? { study: record.uuid } : {}) },
    })
    const { account_uuid, namespace_uuid: phi_namespace } = request
    const { uuid = null, must_approve = false } = record && !record.deleted ? record : {}
    if (!ended.had_ended)
      await tellUploaded(tx, { account_uuid, phi_namespace, uuid, must_approve, said_by: saidBy(request) })
  })
  services.events.ring()
  return {}
}
