import { invitationMinutes, passwordResetMinutes } from '@hilum/contract/limits'
import type { CertificateLevel } from '../../certificate-term.ts'
import { mailOf, type MailText } from './mail-label.ts'

/** Mails name nobody and say nothing of patients: that something waits, and where. The secret is the link. */
export const resetMail = (): MailText => mailOf('reset', { minutes: passwordResetMinutes })

export const invitationMail = (): MailText => mailOf('invitation', { days: invitationMinutes / (24 * 60) })

/** To somebody who has a login. @param address the web app's own */
export const addedMail = (address: string): MailText => mailOf('added', { address })

/** @param address the web app's own */
export function sharedMail(address: string, to: 'user' | 'group' | 'location' | 'account'): MailText {
  return mailOf(`shared.${to}`, { address })
}

/** To whoever had an exam by a share. @param address the web app's own */
export const retractedMail = (address: string): MailText => mailOf('retracted', { address })

/** To whoever has an exam by a share out of which images were moved. @param address the web app's own */
export const separatedMail = (address: string): MailText => mailOf('separated', { address })

/** To whoever has one of two exams by a share that were made one. @param address the web app's own */
export const mergedMail = (address: string): MailText => mailOf('merged', { address })

/** To whoever was sent a link. */
export const retractedLinkMail = (): MailText => mailOf('retractedLink')

/** To those of a gatekeeper group who chose to be told. @param address the web app's own */
export const nominatedMail = (address: string): MailText => mailOf('nominated', { address })

/** To the sender of a share. @param address the web app's own */
export const rejectedMail = (address: string): MailText => mailOf('rejected', { address })

/** To whoever wanted to send an exam at a later time. */
export const notSentMail = (): MailText => mailOf('notSent')

export const resetTwoFactorMail = (): MailText => mailOf('resetTwoFactor')

/** @param address the web app's own */
export const harvestedMail = (address: string): MailText => mailOf('harvested', { address })

/** To those who may approve exams in a place. @param address the web app's own */
export const approvalMail = (address: string): MailText => mailOf('approval', { address })

/** To the administrators of an organisation. @param address the web app's own */
export function connectionMail(change: 'asked' | 'connected' | 'ended', address: string): MailText {
  return mailOf(`connection.${change}`, { address })
}

/** To the administrators of the organisations. @param address the web app's own */
export function diskMail(
  address: string,
  level: 'low' | 'very-low' | 'full',
  room: { free: string; total: string },
): MailText {
  return mailOf(`disk.${level}`, { ...room, address })
}

/** To the administrators of the organisations. @param address the web app's own */
export function certificateMail(address: string, level: Exclude<CertificateLevel, 'ample'>, endsAt: Date): MailText {
  const day = endsAt.toISOString().slice(0, 16).replace('T', ' ')
  return mailOf(`certificate.${level}`, { day, address })
}

/** To the administrators of an organisation; addresses of webhooks may hold keys, and names anything. @param address the web app's own */
export const webhookMail = (address: string): MailText => mailOf('webhookFails', { address })

/** To the administrators of an organisation; names of rules may hold anything. @param address the web app's own */
export const ruleMail = (address: string): MailText => mailOf('ruleFails', { address })

/** To the address that a login had before. */
export const addressChangedMail = (): MailText => mailOf('addressChanged')
/** To somebody who is kept out of an organisation, or out of all. */
export const disabledMail = (): MailText => mailOf('disabled')

/** To whoever takes over what somebody left. @param address the web app's own */
export const handedOverMail = (address: string): MailText => mailOf('handedOver', { address })

/** To an administrator who tries the mail server. */
export const mailTestText = (): MailText => mailOf('mailTest')
