import { isMailable, readOneAddress, readAddresses, tidyAddresses } from '@hilum/contract/mail-address'
import {
  linkPasswordLength,
  maxLinkMessage,
  maxNotified,
  maxRequestNumber,
  mostUploadMegabytes,
} from '@hilum/contract/limits'
import { t } from '../../labels/label.ts'
import type { RequestFields } from '../../queries/requests.ts'

/** ENTITY-22: a request as it is typed. */
export interface TypedRequest {
  email: string
  maximumHits: string
  maximumDuration: string
  linkPassword: string
  notifyOfLinkUse: string
  studyDescription: string
  lastName: string
  firstName: string
  birthDate: string
  mrn: string
  sex: string
  examDate: string
  modality: string
  examWords: string
  megabytes: string
}

type RequestFaults = Partial<Record<keyof TypedRequest, string>>

/** Faults that keep a request from being sent, by field (REQUEST-02…04). */
export function requestFaults(typed: TypedRequest): RequestFaults {
  const faults: Record<keyof TypedRequest, string | undefined> = {
    email: emailFault(typed.email),
    maximumHits: numberFault(typed.maximumHits),
    maximumDuration: numberFault(typed.maximumDuration),
    linkPassword: passwordFault(typed.linkPassword),
    notifyOfLinkUse: notifyFault(typed.notifyOfLinkUse),
    studyDescription:
      typed.studyDescription.trim().length > maxLinkMessage
        ? t('request.tooLong', { most: maxLinkMessage })
        : undefined,
    lastName: undefined,
    firstName: undefined,
    birthDate: undefined,
    mrn: undefined,
    sex: undefined,
    examDate: undefined,
    modality: modalityFault(typed.modality),
    examWords: undefined,
    megabytes: megabytesFault(typed.megabytes),
  }
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))
}

function emailFault(typed: string): string | undefined {
  const email = readOneAddress(typed)
  if (email === '') return t('request.email.required')
  return isMailable(email) ? undefined : t('request.email.wrong')
}

/** PS3.5 §6.2, VR CS: short codes as CT and MR. */
function modalityFault(typed: string): string | undefined {
  return /^[A-Za-z0-9_ ]{0,16}$/.test(typed.trim()) ? undefined : t('request.modalityWrong')
}

/** Whether a text is no number of megabytes that a request or a share code may store; an empty one is. */
function megabytesFault(typed: string): string | undefined {
  const text = typed.trim()
  const isGood = text === '' || (/^\d{1,8}$/.test(text) && Number(text) >= 1 && Number(text) <= mostUploadMegabytes)
  return isGood ? undefined : t('request.megabytesWrong', { most: mostUploadMegabytes })
}

/** A whole number above zero and less than 2147483647. */
function numberFault(typed: string): string | undefined {
  if (!/^\s*\+?\d+\s*$/.test(typed) || Number(typed) <= 0) return t('request.number.low')
  return Number(typed) > maxRequestNumber ? t('request.number.high') : undefined
}

function passwordFault(typed: string): string | undefined {
  const { least, most } = linkPasswordLength
  if (typed === '') return undefined
  if (typed.length < least) return t('request.passwordShort', { least })
  return typed.length > most ? t('request.passwordLong', { most }) : undefined
}

function notifyFault(typed: string): string | undefined {
  const named = readAddresses(typed)
  if (!named.every(isMailable)) return t('request.notifyWrong')
  return named.length > maxNotified ? t('request.notifyMany', { most: maxNotified }) : undefined
}

/** The parameters of a request without faults. */
export function toOptions(typed: TypedRequest, namespaceId: string, asksPin: boolean): RequestFields {
  const name = [typed.lastName.trim(), typed.firstName.trim()]
  const sent = {
    notify: tidyAddresses(typed.notifyOfLinkUse).trim(),
    password: typed.linkPassword,
    message: typed.studyDescription.trim(),
    patient_name: name.some(Boolean) ? name.join('^').replace(/\^$/, '') : '',
    patient_birth_date: typed.birthDate.replaceAll('-', ''),
    patientid: typed.mrn.trim(),
    patient_sex: typed.sex,
    study_date: typed.examDate.replaceAll('-', ''),
    modality: typed.modality.trim().toUpperCase(),
    study_description: typed.examWords.trim(),
  }
  return {
    namespace_id: namespaceId,
    email: readOneAddress(typed.email),
    ...(typed.megabytes.trim() === '' ? {} : { max_megabytes: Number(typed.megabytes) }),
    ...(asksPin ? { pin_auth: 1 } : {}),
    max_hits: Number(typed.maximumHits),
    minutes_alive: Number(typed.maximumDuration),
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '')),
  }
}

/** Whether a patient is named. */
export function namesPatient({ lastName, firstName, birthDate, mrn }: TypedRequest): boolean {
  return [lastName, firstName, birthDate, mrn].some((typed) => typed.trim() !== '')
}
