import { mayDo } from '@hilum/contract/acts'
import type { webhookTrigger } from '@hilum/contract/calls/webhook'
import { seeRecord } from '../../access/study-access.ts'
import { findRecordByUuid } from '../../access/study-record.sql.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { mayCallWebhook } from './may-call-webhook.ts'
import { tellWebhook } from '../telling/tell-webhook.command.ts'
import { findWebhook } from './webhook.sql.ts'

export const trigger: Handler<typeof webhookTrigger> = async ({ services, input, caller, on, fail }) => {
  const { db } = services
  const webhook = await findWebhook(db, input.uuid)
  if (!webhook) throw fail('NOT_FOUND')
  const record = await findRecordByUuid(db, input.study_id)
  const access = record && (await seeRecord(caller, record))
  const isOpen = access && mayDo('findStudy', access) && mayDo('viewStudy', access)
  // a webhook tells of its own account alone
  if (!record || record.deleted || !isOpen || record.account_uuid !== on.accountUuid) {
    throw fail('NOT_FOUND', { subtype: 'study_id' })
  }
  if (!(await mayCallWebhook(db, webhook.uuid))) throw fail('LOCKOUT')
  await db.transaction().execute(async (tx) => {
    const about = { phi_namespace: record.phi_namespace, study_uuid: record.uuid }
    await tellWebhook(tx, webhook.uuid, { event: webhook.event, ...about })
    await writeStudyAudit(tx, caller, record, 'ROUTE', { webhook: webhook.name })
  })
  return {}
}
