import { randomUUID } from 'node:crypto'
import type { studyAdd } from '@hilum/contract/calls/study'
import { foldText } from '@hilum/contract/search-text'
import { findRecordByUid } from '../../access/study-record.sql.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { readFieldValues, sendsFieldValues } from '../customfield/field-values.policy.ts'
import type { Handler } from '../handler.ts'
import { listFieldDefinitions } from './field-definitions.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { readSentTags } from './study-edit.ts'
import { listStudyRows } from './study-rows.sql.ts'
import { insertAnnounced } from './study-write.sql.ts'

export const add: Handler<typeof studyAdd> = async ({ services, input, raw, caller, on, origin, fail }) => {
  // a record draws its own images from its own namespace; images of others come by a share
  if (input.storage_namespace !== input.phi_namespace) throw fail('INVALID_FIELD', { subtype: 'storage_namespace' })
  const tags = readSentTags(input)
  const values = sendsFieldValues(raw)
    ? readFieldValues(await listDefinitions(services.db, [on.accountUuid], 'Study'), raw)
    : []
  const uuid = randomUUID()
  const isNew = await services.db.transaction().execute(async (tx) => {
    const made = await insertAnnounced(tx, {
      uuid,
      phiNamespace: input.phi_namespace,
      storageNamespace: input.storage_namespace,
      accountUuid: on.accountUuid,
      studyUid: input.study_uid,
      userUuid: caller.userUuid,
      tags,
      search: foldText(tags.patient_name ?? ''),
      expectedCount: input.image_count ?? null,
      integrationKey: input.integration_key ?? '',
      sourceAeTitle: input.source_ae_title ?? '',
      destinationAeTitle: input.destination_ae_title ?? '',
      customfields: Object.fromEntries(values.filter((one) => one.value).map((one) => [one.uuid, one.value])),
    })
    if (made) {
      await writeAudit(tx, {
        accountUuid: on.accountUuid,
        caller,
        action: 'CREATE',
        type: 'Study',
        objectUuid: uuid,
        phiNamespace: input.phi_namespace,
      })
    }
    return made
  })
  if (isNew) return { uuid, engine_fqdn: origin.host }
  const existing = await findRecordByUid(services.db, input.phi_namespace, input.study_uid)
  const [row] = existing ? await listStudyRows(services.db, [existing], caller.userUuid) : []
  const definitions = await listFieldDefinitions(services.db, row ? [row] : [])
  throw fail('ALREADY_EXISTS', {
    subtype: existing?.uuid ?? '',
    ...(row ? { data: narrowStudy(presentStudy(row, on, origin.host, definitions), undefined) } : {}),
  })
}
