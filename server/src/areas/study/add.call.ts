import { mayDo } from '@hilum/contract/acts'
import { randomUUID } from 'node:crypto'
import { studyAdd } from '@hilum/contract/calls/study'
import { foldText } from '@hilum/dicom/person-name'
import { isAcceptableUid } from '@hilum/dicom/uid'
import { seeRecord } from '../../access/study-access.ts'
import { findRecordByUid } from '../../access/study-record.sql.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { readFieldValues, sendsFieldValues } from '../customfield/field-values.policy.ts'
import { writeEvent } from '../event/event.sql.ts'
import type { Handler } from '../handler.ts'
import { listFieldDefinitions } from './field-definitions.ts'
import { lockStoredStudies } from '../storage/ingest.sql.ts'
import { narrowStudy, presentStudy } from './study.presenter.ts'
import { demandWritable, readSentColumns, readSentDicomFields } from '../altered/study-edit.ts'
import { listStudyRows } from './study-rows.sql.ts'
import { insertAnnounced } from './study-write.sql.ts'

export const add: Handler<typeof studyAdd> = async ({ services, input, raw, caller, on, origin, fail }) => {
  const isThin = input.thin === 1
  if (!isThin && !mayDo(studyAdd.asks['a study that is not thin'], on)) throw fail('NOT_PERMITTED')
  if (!isThin && input.storage_namespace === undefined) throw fail('MISSING_FIELDS', { subtype: ['storage_namespace'] })
  const storageNamespace = input.storage_namespace ?? input.phi_namespace
  // a record draws its own images from its own namespace; images of others come by a share
  if (storageNamespace !== input.phi_namespace) throw fail('INVALID_FIELD', { subtype: 'storage_namespace' })
  // the study UID will stand in addresses: images of a study that is named otherwise are not taken either
  if (!isAcceptableUid(input.study_uid)) throw fail('INVALID_FIELD', { subtype: 'study_uid' })
  const tags = readSentDicomFields(input)
  const columns = readSentColumns(input)
  demandWritable(tags)
  const values = sendsFieldValues(raw)
    ? readFieldValues(await listDefinitions(services.db, [on.accountUuid], 'Study'), raw)
    : []
  const uuid = randomUUID()
  const isNew = await services.db.transaction().execute(async (tx) => {
    const key = { storage_namespace: storageNamespace, study_uid: input.study_uid, account_uuid: on.accountUuid }
    // locked before the record, as by arriving images and deletions
    const [stored] = await lockStoredStudies(tx, [key])
    const made = await insertAnnounced(tx, {
      uuid,
      phiNamespace: input.phi_namespace,
      storageNamespace,
      storageGeneration: stored?.generation ?? 1,
      accountUuid: on.accountUuid,
      studyUid: input.study_uid,
      userUuid: caller.userUuid,
      tags,
      search: foldText(tags.patient_name ?? ''),
      expectedCount: columns.expected_count ?? null,
      integrationKey: columns.integration_key ?? '',
      sourceAeTitle: columns.source_ae_title ?? '',
      isThin,
      destinationAeTitle: columns.destination_ae_title ?? '',
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
        ...(isThin ? { detail: { thin: true } } : {}),
      })
      if (isThin) await writeEvent(tx, 'study', input.phi_namespace, uuid)
    }
    return made
  })
  if (isNew && isThin) services.events.ring()
  if (isNew) return { uuid, engine_fqdn: origin.host }
  const existing = await findRecordByUid(services.db, input.phi_namespace, input.study_uid)
  // the study that is there is shown to people who could read it with study/get
  const access = existing && (await seeRecord(caller, existing))
  const mayRead = access && mayDo('viewStudy', access)
  const [row] = mayRead ? await listStudyRows(services.db, [access.record], caller.userUuid) : []
  const definitions = await listFieldDefinitions(services.db, row ? [row] : [])
  throw fail('ALREADY_EXISTS', {
    subtype: existing?.uuid ?? '',
    ...(row ? { data: narrowStudy(presentStudy(row, on, origin.host, definitions), undefined) } : {}),
  })
}
