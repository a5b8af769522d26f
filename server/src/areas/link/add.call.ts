import type { linkAdd } from '@hilum/contract/calls/link'
import { linkMinutes, maxShownStudies, megabyte, uploadMegabytes } from '@hilum/contract/limits'
import { openStudyRecord } from '../../access/study-access.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import { uuidForm } from '@hilum/contract/wire'
import type { CallRequest, Handler } from '../handler.ts'
import { findAddressOfUser } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { hashPassword } from '../user/password-hash.ts'
import { listEarlierExams } from './earlier-exams.command.ts'
import { findLinkLimits, findUploadMegabytes } from './link-limits.command.ts'
import {
  checkLinkValues,
  linkError,
  mayGive,
  readEmail,
  readExpected,
  readExpectedExam,
  readNotified,
} from './link-values.policy.ts'
import { mailLink } from './mail-link.command.ts'
import { makeLink } from './make-link.command.ts'
import { makeRequest } from './make-request.command.ts'

export const add: Handler<typeof linkAdd> = async (request) => {
  const { services, input, caller, on, origin, fail } = request
  const isRequest = on.kind === 'places'
  const limits = isRequest ? undefined : await findLinkLimits(services.db, on.access.record.account_uuid)
  checkLinkValues(input, limits?.most)
  if ((input.action === 'STUDY_UPLOAD') !== isRequest) throw fail('INVALID_ACTION')
  const { password = '', max_hits: maxHits = 0, minutes_alive: minutes = limits?.minutes ?? linkMinutes } = input
  const passwordIsDob = input.password_is_dob === 1
  if (passwordIsDob && password) throw fail('INVALID_PARAMETERS')
  const values = {
    minutes,
    maxHits: maxHits || null,
    message: input.message?.trim() ?? '',
    email: readEmail(input.email),
    notify: input.notify === undefined && isRequest ? await ownAddress(request) : readNotified(input.notify),
    pinAuth: input.pin_auth === 1,
  }
  if (values.pinAuth && !values.email) throw fail('INVALID_EMAIL')
  refuseWhatIsNotOf(request)
  const gives = { download: input.download === 1, attachments: input.attachments === 1 }
  if (on.kind === 'study' && !mayGive(on.access.membership, gives)) throw fail('NOT_PERMITTED')
  const expected = readExpected(input)
  const expectedExam = readExpectedExam(input)
  const more = await openMore(request)
  const earlier = await openEarlier(request, more)
  const accountOfRequest = isRequest ? on.places[0]?.accountUuid : undefined
  const megabytes =
    input.max_megabytes ??
    (accountOfRequest ? await findUploadMegabytes(services.db, accountOfRequest) : uploadMegabytes)
  const passwordHash = password ? await hashPassword(password) : null
  const address = publicAddress(services.config, origin)
  return services.db.transaction().execute(async (tx) => {
    const made = isRequest
      ? await makeRequest(
          tx,
          services.sealer,
          { caller, places: on.places, address },
          { ...values, passwordHash, expected, expectedExam, maxBytes: megabytes * megabyte },
        )
      : await makeLink(
          tx,
          services.sealer,
          { caller, record: on.access.record, more, earlier, address },
          { ...values, ...gives, passwordHash, passwordIsDob, mixedSeen: input.mixed_patients === 1 },
        )
    if (made.kind !== 'made') throw linkError(made.kind)
    const { uuid, url } = made
    const accountUuid = isRequest ? (on.places[0]?.accountUuid ?? '') : on.access.record.account_uuid
    const asks = { asksBirthDate: passwordIsDob, asksPassword: passwordHash !== null, isRequest }
    const { email } = values
    if (email) await mailLink(tx, services.sealer, { uuid, url, accountUuid, email, minutes, ...asks })
    const { studies = 0, leftOut = 0 } = made
    return { uuid, url, study_count: studies, priors_left_out: leftOut, has_smtp: services.config.smtpUrl ? 1 : 0 }
  })
}

/** Address of the person who asks: told of the answer where no list, not even an empty one, names others. */
async function ownAddress({ services, caller }: CallRequest<typeof linkAdd>): Promise<string[]> {
  const address = await findAddressOfUser(services.db, caller.userUuid)
  return address ? [address] : []
}

/** The other studies that a link shows, opened by the caller's role in the same place. */
async function openMore({ services, input, caller, on, fail }: CallRequest<typeof linkAdd>): Promise<StudyRecord[]> {
  const named = new Set((input.study_ids ?? '').split(/[\s,]+/).filter(Boolean))
  if (named.size === 0) return []
  if (on.kind === 'places') throw fail('INVALID_FIELD', { subtype: 'study_ids' })
  const { record } = on.access
  named.delete(record.uuid)
  const isFaulty = named.size >= maxShownStudies || [...named].some((uuid) => !uuidForm.test(uuid))
  if (isFaulty) throw fail('INVALID_FIELD', { subtype: 'study_ids' })
  const found: StudyRecord[] = []
  for (const uuid of named) {
    const access = await openStudyRecord(services.db, caller, { uuid }, 'makeLinks')
    if (access.record.phi_namespace !== record.phi_namespace) throw fail('INVALID_FIELD', { subtype: 'study_ids' })
    found.push(access.record)
  }
  return found
}

/** Earlier exams of the patient that nobody named. */
async function openEarlier(
  { services, input, caller, on }: CallRequest<typeof linkAdd>,
  more: readonly StudyRecord[],
): Promise<StudyRecord[]> {
  if (input.include_priors !== 1 || on.kind === 'places') return []
  const named = new Set(more.map(({ uuid }) => uuid))
  const { records } = await listEarlierExams(services.db, caller, on.access.record)
  return records.filter(({ uuid }) => !named.has(uuid))
}

/** A request shows no study whose date of birth could be asked for, and a link to a study expects nothing. */
function refuseWhatIsNotOf({ input, on, fail }: CallRequest<typeof linkAdd>): void {
  const names =
    on.kind === 'places'
      ? (['password_is_dob', 'download', 'attachments', 'include_priors', 'mixed_patients'] as const)
      : ([
          'patient_name',
          'patient_birth_date',
          'patient_sex',
          'patientid',
          'study_date',
          'modality',
          'study_description',
          'max_megabytes',
        ] as const)
  const name = names.find((one) => input[one])
  if (name) throw fail('INVALID_FIELD', { subtype: name })
  // personal places belong to no account in whose name could be asked
  if (on.kind === 'places' && on.places[0]?.kind === 'user') throw fail('INVALID_FIELD', { subtype: 'namespace_id' })
}
