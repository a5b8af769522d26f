import { mayDo } from '@hilum/contract/acts'
import { studySet } from '@hilum/contract/calls/study'
import { studyPushConfirm } from '@hilum/contract/calls/study-nominate'
import { prioritiesOf } from '@hilum/contract/gate-fields'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { readFieldValues, sendsFieldValues } from '../customfield/field-values.policy.ts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { isOfSender, partGateValues } from '../nomination/gate-values.ts'
import { isNominated } from '../nomination/nomination.sql.ts'
import { findInboxConfig } from '../setting/inbox-config.sql.ts'
import { demandFieldAccess } from './field-access.policy.ts'
import { endMrnOfAll } from './end-mrn-of-all.command.ts'
import { editStudy } from './edit-study.command.ts'
import { readIssuer, readSentColumns, readSentDicomFields, readEditText } from '../altered/study-edit.ts'
import { rejectNomination } from './reject-nomination.command.ts'
import { setUnread } from './study-write.sql.ts'

/** A record's readers may mark it read or new for themselves; taking work takes study_status_edit; all else editing. */
export const set: Handler<typeof studySet> = async ({ services, input, raw, caller, on, origin, fail }) => {
  const tags = readSentDicomFields(input)
  const columns = readSentColumns(input)
  const issuer = input.issuer === undefined ? undefined : readIssuer(input.issuer)
  const endsWord = input.mrn_of_all === 0
  const hasFields =
    Object.keys(tags).length > 0 || issuer !== undefined || Object.keys(columns).length > 0 || sendsFieldValues(raw)
  if (hasFields && input.mrn_of_all !== undefined) throw fail('INVALID_FIELD', { subtype: 'mrn_of_all' })
  const isEdit = hasFields || endsWord
  if (!isEdit && input.work_status === undefined && input.unread === undefined) throw fail('STUDY_SET_PARAMS_EMPTY')
  // a person who may only upload changes studies of his own, and says so
  const isOwnUpload = input.use_upload_permission === 1 && mayDo(studySet.asks.use_upload_permission, on)
  if (isEdit && !isOwnUpload && !mayDo(studySet.decides.fields, on)) throw fail('NOT_PERMITTED')
  if (input.work_status !== undefined && !isOwnUpload && !mayDo(studySet.decides.work_status, on))
    throw fail('NOT_PERMITTED')
  const definitions = sendsFieldValues(raw) ? await listDefinitions(services.db, [on.record.account_uuid], 'Study') : []
  const priorities = prioritiesOf(
    definitions.length > 0 ? await findInboxConfig(services.db, on.record.phi_namespace) : undefined,
  )
  const sentValues = readFieldValues(definitions, raw)
  const { values, priority, rejection } = partGateValues(definitions, sentValues, priorities)
  // a study of his own he describes, whatever the role leaves of it later
  // the authority of an MRN, and the images that it is of, are a part of it
  const written = issuer === undefined && !endsWord ? tags : { patientid: '-', ...tags }
  const isSender = mayDo(studyPushConfirm.on.may, on)
  const narrowed = isSender ? values.filter((one) => !isOfSender(definitions, one)) : values
  if (!isOwnUpload) demandFieldAccess(on.membership.fieldFlags, written, narrowed, definitions)
  // an edit compares it again, under its lock
  if (input.row_version !== undefined && input.row_version !== on.record.row_version) throw fail('STALE')
  if (input.unread !== undefined) {
    await setUnread(services.db, caller.userUuid, on.record.phi_namespace, on.record.uuid, input.unread === 1)
  }
  if (rejection && (await isNominated(services.db, on.record.uuid))) {
    if (!mayDo(studySet.decides.rejection, on)) throw fail('NOT_PERMITTED')
    if (rejection.reason === '') throw fail('MISSING_FIELDS', { subtype: ['process_rejection_reason'] })
    const code = input.rejection_code
    const address = publicAddress(services.config, origin)
    const options = { ...rejection, code, rowVersion: input.row_version, address }
    await services.db.transaction().execute((tx) => rejectNomination(tx, caller, on.record, options))
    services.events.ring()
    return { uuid: on.record.uuid }
  }
  if (endsWord) {
    const version = await endMrnOfAll(services, caller, on.record, {
      rowVersion: input.row_version,
      work: workChange(input.work_status, caller.userUuid),
    })
    return { uuid: on.record.uuid, row_version: version }
  }
  if (isEdit || input.work_status !== undefined) {
    const version = await editStudy(services, caller, on, {
      tags,
      ...(issuer === undefined ? {} : { issuer }),
      values,
      columns,
      ...(priority === undefined ? {} : { priority }),
      ...(input.work_status === undefined ? {} : { workStatus: input.work_status }),
      ...(input.mrn_reason ? { mrnReason: readEditText('mrn_reason', input.mrn_reason) } : {}),
      ...(input.seen_mrns === undefined ? {} : { seenMrns: input.seen_mrns }),
      ...(input.patient_confirmed === 1 ? { isPatientConfirmed: true } : {}),
      ...(input.row_version === undefined ? {} : { rowVersion: input.row_version }),
    })
    return { uuid: on.record.uuid, row_version: version }
  }
  return { uuid: on.record.uuid }
}

function workChange(status: 'new' | 'in_progress' | 'done' | undefined, userUuid: string) {
  return status === undefined ? {} : { workStatus: status, takenBy: status === 'new' ? null : userUuid }
}
