import { factsOf, mayDo } from '@hilum/contract/acts'
import type { ExpectedExam, ExpectedPatient, Link, LinkArrival } from '@hilum/contract/calls/link'
import { compareWithExpected } from '@hilum/dicom/identity-expected'
import type { Membership } from '../../access/caller.ts'
import type { Services } from '../../services.ts'
import { screenAt } from '../mail/public-address.ts'
import { hiddenFields } from '../study/field-access.policy.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import type { ArrivalRow, LinkRow } from './link-list.sql.ts'
import { compareExam } from './expected-exam.policy.ts'
import { mayKnowAddress, mayKnowExpected } from './link-place.policy.ts'
import { whatLinkGives } from './link-values.policy.ts'

/**
 * A link as the wire shows it.
 * @param address begins the address of the link, which is shown to who may make such a link
 */
export function presentLink(
  row: LinkRow,
  { config, sealer }: Pick<Services, 'config' | 'sealer'>,
  membership: Membership,
  address: string,
): Link {
  const isKnown = row.state !== 'ended' && row.sealed_secret !== null && mayKnowAddress(membership, row)
  const secret = isKnown && row.sealed_secret ? sealer.open(row.sealed_secret, row.uuid) : undefined
  const { expected, expected_exam: exam } = row
  const gives = whatLinkGives(row.permissions)
  return {
    uuid: row.uuid,
    url: secret ? linkAddress(address, secret) : '',
    action: row.action,
    study_id: row.study_uuid ?? '',
    study_count: row.study_count,
    account_id: row.account_uuid,
    namespace_id: row.namespace_uuid,
    namespace_name: row.namespace_name,
    message: row.message,
    // the words typed into the form of a request describe the study, and its page says nothing else
    description: row.action === 'STUDY_UPLOAD' ? row.message : '',
    email: row.email,
    mail: row.mail && !config.smtpUrl && isTried(row.mail) ? { ...row.mail, state: 'no_server' } : row.mail,
    reminded_at: row.reminded_at,
    notify: row.notify.join(', '),
    has_password: row.has_password ? 1 : 0,
    password_is_dob: row.password_is_dob ? 1 : 0,
    pin_auth: row.pin_auth ? 1 : 0,
    max_hits: row.max_hits,
    minutes_alive: row.minutes_alive,
    created: row.created,
    created_by_name: row.created_by_name,
    expires_at: row.expires_at,
    state: row.state,
    ended_at: row.ended_at,
    hits: row.hits,
    download: gives.download ? 1 : 0,
    attachments: gives.attachments ? 1 : 0,
    max_bytes: row.max_bytes,
    stored_bytes: row.stored_bytes,
    uses: row.uses,
    expected: expected && isSaid(expected) && mayKnowExpected(membership) ? expected : null,
    expected_exam: exam && isSaid(exam) && mayKnowExpected(membership) ? exam : null,
    expected_erased_at: row.expected_erased_at,
    sender: row.sender,
    by_share_code: row.by_share_code ? 1 : 0,
    arrivals: row.arrivals.map((arrival) => presentArrival(arrival, row, membership)),
  }
}

/** Whether a mail server that is set up would be given the mail. */
function isTried({ state }: NonNullable<Link['mail']>): boolean {
  return state === 'queued' || state === 'failed'
}

/** Whether a patient or an exam is named at all. */
export function isSaid(expected: ExpectedPatient | ExpectedExam): boolean {
  return Object.values(expected).some(Boolean)
}

/** Address of the page of a link. @param address the web app's own */
export function linkAddress(address: string, secret: string): string {
  return screenAt(address, '/link/$token', { token: secret })
}

function presentArrival(
  {
    study_uuid: uuid,
    must_approve: mustApprove,
    image_count,
    expected_count,
    ended_at,
    is_incomplete: isIncomplete,
    ...came
  }: ArrivalRow,
  {
    expected,
    expected_exam: expectedExam,
    own_issuer: ownIssuer,
  }: Pick<LinkRow, 'expected' | 'expected_exam' | 'own_issuer'>,
  membership: Membership,
): LinkArrival {
  const { patient, exam, named } = came
  const held = { ...membership, facts: factsOf({ awaitsApproval: mustApprove }) }
  const isSeen = uuid !== null && mayDo('findStudy', held) && mayDo('viewStudy', held)
  const compared =
    isSeen && expected && isSaid(expected) && mayKnowExpected(membership)
      ? compareWithExpected(asIdentity({ ...expected, issuer: ownIssuer }), asIdentity(patient))
      : undefined
  const hidden: readonly string[] = hiddenFields(membership.fieldFlags)
  const shown = (name: string, value: string) => (isSeen && !hidden.includes(name) ? value : '')
  return {
    study_id: isSeen ? uuid : '',
    patient_name: shown('patient_name', patient.patient_name),
    patient_birth_date: shown('patient_birth_date', patient.patient_birth_date),
    study_date: shown('study_date', exam.study_date),
    modality: shown('modality', named.modality),
    study_description: shown('study_description', named.study_description),
    image_count,
    expected_count,
    ended_at,
    is_incomplete: isIncomplete ? 1 : 0,
    verdict: compared?.verdict ?? '',
    differences: compared?.differences ?? [],
    exam_differences: isSeen && expectedExam && mayKnowExpected(membership) ? compareExam(expectedExam, exam) : [],
  }
}
