import { mayDo } from '@hilum/contract/acts'
import type { ExpectedExam, ExpectedPatient } from '@hilum/contract/calls/link'
import { ApiError } from '@hilum/contract/errors'
import { isMailable, readOneAddress, readAddresses } from '@hilum/contract/mail-address'
import {
  linkPasswordLength,
  maxLinkHits,
  maxLinkMessage,
  maxNotified,
  maxRequestNumber,
  maxSender,
  mostUploadMegabytes,
} from '@hilum/contract/limits'
import type { LinkGives, LinkRight } from '@hilum/contract/link-rights'
import { isDicomDay } from '@hilum/dicom/dates'
import type { Membership } from '../../access/caller.ts'
import { hiddenFields } from '../study/field-access.policy.ts'

/** @throws ApiError INVALID_FIELD naming the value that a link cannot have */
export function checkLinkValues(
  sent: {
    minutes_alive?: number | undefined
    minutes_left?: number | undefined
    max_hits?: number | undefined
    password?: string | undefined
    message?: string | undefined
    max_megabytes?: number | undefined
  },
  /** Most minutes of a link of the account; undefined for a request, which has bounds of its own. */
  most: number | undefined,
): void {
  const { password = '', message = '' } = sent
  const [mostMinutes, mostHits] = most === undefined ? [maxRequestNumber, maxRequestNumber] : [most, maxLinkHits]
  const faulty = {
    minutes_alive: isOutside(sent.minutes_alive, 1, mostMinutes),
    minutes_left: isOutside(sent.minutes_left, 1, mostMinutes),
    max_hits: isOutside(sent.max_hits, 0, mostHits),
    password: password !== '' && isOutside(password.length, linkPasswordLength.least, linkPasswordLength.most),
    max_megabytes: isOutside(sent.max_megabytes, 1, mostUploadMegabytes),
    message: message.trim().length > maxLinkMessage,
  }
  const fault = Object.entries(faulty).find(([, isFaulty]) => isFaulty)
  if (fault) throw new ApiError('INVALID_FIELD', { subtype: fault[0] })
}

function isOutside(value: number | undefined, least: number, most: number): boolean {
  return value !== undefined && (value < least || value > most)
}

/**
 * Why no link was made: the record went, may not be given away, has no images, knows of no date of birth, is a copy
 * without names, whose attached files stay, or that would stand beside an exam that tells whose it is, or names several
 * patients, and nobody said that they were looked at.
 */
export type LinkFault = 'gone' | 'frozen' | 'phantom' | 'noBirthDate' | 'nameless' | 'namesBeside' | 'mixed'

/** The error by which a call tells why no link was made. */
export function linkError(fault: LinkFault): ApiError {
  if (fault === 'frozen') return new ApiError('NOT_PERMITTED', { subtype: 'frozen' })
  if (fault === 'nameless') return new ApiError('NOT_PERMITTED', { subtype: 'attachments' })
  if (fault === 'namesBeside') return new ApiError('NOT_PERMITTED', { subtype: 'names' })
  if (fault === 'mixed') return new ApiError('NOT_READY', { subtype: 'mixed_patients' })
  if (fault === 'phantom') return new ApiError('PHANTOM')
  return fault === 'gone' ? new ApiError('NOT_FOUND') : new ApiError('INVALID_FIELD', { subtype: 'password_is_dob' })
}

/**
 * One address, bare, however it was copied.
 * @throws ApiError INVALID_EMAIL
 */
export function readEmail(sent = ''): string {
  const email = readOneAddress(sent)
  if (email && !isMailable(email)) throw new ApiError('INVALID_EMAIL')
  return email
}

/**
 * Addresses of a list, each once.
 * @throws ApiError INVALID_EMAIL, INVALID_FIELD for too many
 */
export function readNotified(sent = ''): string[] {
  const named = readAddresses(sent)
  if (!named.every(isMailable)) throw new ApiError('INVALID_EMAIL')
  if (named.length > maxNotified) throw new ApiError('INVALID_FIELD', { subtype: 'notify' })
  return named
}

/** @throws ApiError INVALID_FIELD naming what describes no patient */
export function readExpected(sent: { [Field in keyof ExpectedPatient]?: string | undefined }): ExpectedPatient {
  const expected = {
    patient_name: sent.patient_name?.trim() ?? '',
    patient_birth_date: sent.patient_birth_date?.trim() ?? '',
    patient_sex: sent.patient_sex?.trim().toUpperCase() ?? '',
    patientid: sent.patientid?.trim() ?? '',
  }
  const faulty = {
    patient_name: expected.patient_name.length > maxSender,
    patient_birth_date: expected.patient_birth_date !== '' && !isDicomDay(expected.patient_birth_date),
    patient_sex: !/^[MFO]?$/.test(expected.patient_sex),
    patientid: expected.patientid.length > 64,
  }
  const fault = Object.entries(faulty).find(([, isFaulty]) => isFaulty)
  if (fault) throw new ApiError('INVALID_FIELD', { subtype: fault[0] })
  return expected
}

/** @throws ApiError INVALID_FIELD naming what describes no exam */
export function readExpectedExam(sent: { [Field in keyof ExpectedExam]?: string | undefined }): ExpectedExam {
  const expected = {
    study_date: sent.study_date?.trim() ?? '',
    modality: sent.modality?.trim().toUpperCase() ?? '',
    study_description: sent.study_description?.trim() ?? '',
  }
  const faulty = {
    study_date: expected.study_date !== '' && !isDicomDay(expected.study_date),
    // PS3.5 §6.2, VR CS
    modality: !/^[A-Z0-9_ ]{0,16}$/.test(expected.modality),
    study_description: expected.study_description.length > maxSender,
  }
  const fault = Object.entries(faulty).find(([, isFaulty]) => isFaulty)
  if (fault) throw new ApiError('INVALID_FIELD', { subtype: fault[0] })
  return expected
}

/** Whether a link lets the images be downloaded, and shows attached files. */
export function whatLinkGives(permissions: readonly LinkRight[]): LinkGives {
  const held = { permissions: new Set(permissions) }
  return { download: mayDo('downloadExam', held), attachments: mayDo('seeAttachments', held) }
}

/**
 * Whether a role may give what a link gives. A link shows every field that its place shows, so it takes a role that sees
 * them all; and nobody gives the download or the attached files away who does not have them.
 */
export function mayGive({ permissions, fieldFlags }: Membership, { download, attachments }: LinkGives): boolean {
  return (
    hiddenFields(fieldFlags).length === 0 &&
    (!download || mayDo('downloadExam', { permissions })) &&
    (!attachments || mayDo('seeAttachments', { permissions }))
  )
}
