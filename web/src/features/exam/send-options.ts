import { linkPasswordLength, maxSentAddresses, maxShareDelaySeconds, maxShareMessage } from '@hilum/contract/limits'
import type { Study } from '@hilum/contract/entities/study'
import { isMailable, readAddresses } from '@hilum/contract/mail-address'
import { momentOf } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import {
  recipientKey,
  sendingKey,
  type SendMethod,
  type SendRecipient,
  type SendResult,
} from '../../queries/sending.ts'

/** Seconds of `Delay by 3 minutes` (SEND-04). */
const delaySeconds = 180
export const delays = ['now', 'delay', 'at'] as const
/** Minutes until access ends; 0 is never, which no link can be. */
const sendEnds = [0, 1440, 10080, 43200, 525600] as const
export const factors = ['password', 'birthDate', 'none'] as const

/** The values of the form of sending. */
export interface SendFormState {
  method: SendMethod
  accounts: readonly { uuid: string; name: string; user_email: string }[]
  emails: string
  code: string
  factor: (typeof factors)[number]
  password: string
  /** A code mailed to the addressee, besides. */
  asksPin: boolean
  when: (typeof delays)[number]
  /** As a field of the kind datetime-local gives it, in the zone of the person. */
  at: string
  minutes: number
  withAttachments: boolean
  /** Of links sent by e-mail. */
  download: boolean
}

export type SendFaults = Partial<Record<'emails' | 'password' | 'at' | 'message', string>>

/** SEND-05: to whom it goes; none where nobody is chosen and no code is typed. */
export function recipientsOf({ method, accounts, emails, code }: SendFormState): readonly SendRecipient[] {
  if (method === 'account') return accounts.map(({ uuid, name }) => ({ kind: 'account', uuid, name }))
  if (method === 'code') return code.trim() ? [{ kind: 'code', name: code.trim() }] : []
  return readAddresses(emails).map((name) => ({ kind: 'email', name }))
}

/** The sendings of a form that was not sent everywhere yet. */
interface SendProgress {
  sent: readonly SendResult[]
  /** Recipients who lack an exam, by `recipientKey`. */
  lacking: ReadonlyMap<string, SendRecipient>
}
export const nothingSent: SendProgress = { sent: [], lacking: new Map() }

export function progressAfter(before: SendProgress, results: readonly SendResult[]): SendProgress {
  const lacking = new Map(before.lacking)
  for (const { recipient } of results) lacking.delete(recipientKey(recipient))
  for (const { recipient, failure } of results) if (failure) lacking.set(recipientKey(recipient), recipient)
  return { sent: [...before.sent, ...results.filter(({ failure }) => !failure)], lacking }
}

/** Sendings that another press must not make again: those of recipients who lack another exam still. */
export function sentBefore({ sent, lacking }: SendProgress): ReadonlySet<string> {
  return new Set(sent.filter(({ recipient }) => lacking.has(recipientKey(recipient))).map(sendingKey))
}

/** The form without the recipients who got everything; recipients who were typed meanwhile stay. */
export function withoutServed(form: SendFormState, results: readonly SendResult[]): SendFormState {
  const { lacking } = progressAfter(nothingSent, results)
  const served = new Set(results.map(({ recipient }) => recipientKey(recipient)).filter((key) => !lacking.has(key)))
  if (served.size === 0) return form
  return {
    ...form,
    accounts: form.accounts.filter(({ uuid, name }) => !served.has(recipientKey({ kind: 'account', uuid, name }))),
    emails: readAddresses(form.emails)
      .filter((name) => !served.has(recipientKey({ kind: 'email', name })))
      .join(', '),
  }
}

/** The values that cannot be sent, each with words. */
export function sendFaults(form: SendFormState, message: string, now: number, timeZone: string): SendFaults {
  const tooMany = message.trim().length - maxShareMessage
  const { least } = linkPasswordLength
  const addresses = form.method === 'email' ? readAddresses(form.emails) : []
  const wrong = addresses.find((one) => !isMailable(one))
  const isMany = addresses.length > maxSentAddresses
  const seconds = secondsUntil(form, now, timeZone)
  const asksPassword = form.method === 'email' && form.factor === 'password'
  return {
    ...(isMany ? { emails: t('send.emailsMany', { most: maxSentAddresses }) } : {}),
    ...(wrong === undefined ? {} : { emails: t('send.emailWrong', { address: wrong }) }),
    ...(asksPassword && form.password.length < least ? { password: t('links.passwordShort', { least }) } : {}),
    ...(Number.isNaN(seconds) || seconds < 0 || seconds > maxShareDelaySeconds ? { at: t('send.atWrong') } : {}),
    ...(tooMany > 0 ? { message: t('share.messageTooLong', { most: maxShareMessage, count: tooMany }) } : {}),
  }
}

/** How many patients exams are of. */
export function patientsOf(exams: readonly { study: Study }[]): number {
  const named = exams.map(({ study: one }) => `${one.patient_name} ${one.patientid} ${one.patient_birth_date}`)
  return new Set(named).size
}

/** Seconds until it is to be sent; NaN without a time. */
export function secondsUntil({ when, at }: Pick<SendFormState, 'when' | 'at'>, now: number, timeZone: string): number {
  if (when === 'now') return 0
  return when === 'delay' ? delaySeconds : Math.round((momentOf(at, timeZone) - now) / 1000)
}

/**
 * Whether a default end of the organisation that nobody changed is left to the server: an access that stands keeps its
 * own end then. Whoever a share code leads to may be of the own organisation, where the server applies no default.
 */
export function isDefaultApplied({ method, minutes }: Pick<SendFormState, 'method' | 'minutes'>): boolean {
  return method === 'account' || (method === 'code' && minutes === 0)
}

/** Ends of access that fit the way of sending: a link ends as soon as its organisation wants. @param most minutes */
export function endsOf(method: SendMethod, most: number): readonly (typeof sendEnds)[number][] {
  return method === 'email' ? sendEnds.filter((one) => one > 0 && one <= most) : sendEnds
}
