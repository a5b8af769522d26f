import type { OrderFault } from './order-fault.command.ts'
import type { SendOutcome } from '../../outbound/pacs/outgoing-instance.ts'

/** Kinds of answers that are told; more of them say nothing new. */
const MAX_KINDS = 3

/**
 * The end of a push in words, from the peer's own answers: how many images it has of how many, and why not all of them.
 * @param total images of the study, those included that an earlier try had sent
 */
export function describeOutcomes(outcomes: readonly Pick<SendOutcome, 'kind' | 'reason'>[], total: number): string {
  const failed = outcomes.filter((one) => one.kind === 'failed')
  const warned = outcomes.filter((one) => one.kind === 'warning')
  const sent = total - failed.length
  const sentences = [`${sent} of ${total} ${total === 1 ? 'image' : 'images'} sent.`]
  if (failed.length > 0) sentences.push(`Not sent: ${kindsOf(failed)}.`)
  if (warned.length > 0) sentences.push(`Sent with a warning: ${kindsOf(warned)}.`)
  return sentences.join(' ')
}

function kindsOf(outcomes: readonly Pick<SendOutcome, 'reason'>[]): string {
  const kinds = [...Map.groupBy(outcomes, (one) => one.reason)].sort(([, a], [, b]) => b.length - a.length)
  const named = kinds.slice(0, MAX_KINDS).map(([reason, ofKind]) => `${reason} (${ofKind.length})`)
  return [...named, ...(kinds.length > MAX_KINDS ? ['other reasons'] : [])].join('; ')
}

/** Why nothing was sent: the destination holds the study under somebody else. */
export function otherPatientWords(reason: string): string {
  return `Not sent. ${reason}. Somebody has to look at both first.`
}

/** Why nothing was sent: the destination did not say under whom it holds the study. */
export function notCheckedWords(reason: string): string {
  return `Not sent, because it could not be asked first whether the destination holds this exam under another patient: ${reason}. Destinations has a setting that sends all the same.`
}

/** The same of whom it holds under the MRN. */
export function mrnNotCheckedWords(reason: string): string {
  return `Not sent, because it could not be asked first whether the destination holds another patient under this MRN: ${reason}. Destinations has a setting that sends all the same.`
}

/** Why nothing was sent: the MRN is another patient's, there or here. */
export function mrnHeldWords(reason: string): string {
  return `Not sent. ${reason}. Correct the MRN, or send it again with the reason why both have it.`
}

/** A word of warning about a push that went on without that answer. */
export function uncheckedWords(reason: string): string {
  return `It was not asked first whether the destination holds this exam under another patient: ${reason}.`
}

/** The same of its MRN. */
export function mrnUncheckedWords(reason: string): string {
  return `It was not asked first whether the destination holds another patient under this MRN: ${reason}.`
}

/** Why images are not sent on that were being sent: a share or another right ended meanwhile. */
export const rightEndedWords = 'The right to send these images has ended'

/** Why a push stopped by a fault of the server itself. */
export const unforeseenWords =
  'Sending stopped because of a fault of this server, which is in its log. It is tried again.'

/** Why no more images are sent: those of before left as somebody else's, and the exam must not be in two parts there. */
export const patientChangedWords =
  'Images of the exam were sent there before its patient or accession number was changed, and no more follow. Correct those at the destination; sent again, all images go as the exam is now'

/** Why nothing is sent: an archive would file the exam with all others that have no MRN. */
export const withoutMrnWords =
  'The exam has no MRN, so that it was not sent. Write the MRN that the patient has in the hospital, or send the exam again with a reason'

/** Why nothing is sent: two people have not confirmed the patient, or not as the exam is now. */
export const secondPersonWords = {
  missing: 'The group wants two people to confirm the patient of this exam now, and two have not. Match it again',
  changed: 'The exam was changed after two people had confirmed its patient. Match it again',
} as const

/** Why nothing is sent: the exam would lie there under two patients, and nobody can see whether it does. */
export const formerPatientWords =
  'Images of the exam were sent there before its patient or accession number was changed, and the destination cannot be asked whether it still holds them. Correct those there, then send the exam again with a reason'

/** Why nothing is sent: the answer of the destination was about another patient. */
export const changedWhileAskedWords =
  'The exam was changed while its destination was asked for it, so that it was not sent. Look at it, then send it again'

/** Why nothing more is sent: the exam was confirmed without some of its images. */
export const imagesCameWords =
  'Images came or went after the exam had been confirmed, so that no more of it is sent. Look at them, then send it again'

/** Why nothing is sent: the number may be somebody else's here. */
export function foreignMrnWords(issuer: string): string {
  return `The MRN of the exam, or of images of it, was given by another authority, ${issuer}, so that it was not sent. Match the exam with an order or a patient of this organisation, or write its MRN; if the name means the organisation’s own authority, an administrator can say so on the page Organisation`
}

/** The same to a peer that asks for the images, without what names the patient. */
export const foreignMrnReason = 'The destination takes no MRN that another authority gave'

/** Why nothing is sent, by what is wrong with the order of the exam. */
export const orderFaultWords: Readonly<Record<OrderFault, string>> = {
  order_cancelled:
    'The order that the exam was to leave under was cancelled or deleted. Look at it, then send the exam under another order, or without one',
  order_id:
    'The exam and the order that it was to leave under name different patients now, so that it was not sent. Match it again',
  issuer:
    'The numbers of the exam and of its order are of different assigning authorities, so that it was not sent. If both names mean the same one, an administrator can say so on the page Organisation; else send the exam under another order',
  several_mrns:
    'The images of the exam carry several MRNs, so that it was not sent. Write the one that is right, separate the images, or nominate the exam',
  mrn_merged:
    'The MRN of the exam has ended in another number of the patient, so that it was not sent. Write the number in use, then send the exam again',
  accession_number:
    'The accession number of the exam, or of images of it, is that of an order for another patient, so that it was not sent. Correct it, or separate those images, then send the exam again',
}

/** The same for a peer, whose Error Comment has 64 characters. */
export const orderFaultReasons: Readonly<Record<OrderFault, string>> = {
  order_cancelled: 'The order of the exam was cancelled or deleted',
  order_id: 'The exam and its order name different patients',
  issuer: 'The MRN of the exam is of another authority than its order',
  several_mrns: 'The images of the exam carry several MRNs',
  mrn_merged: 'The MRN of the exam has ended in another',
  accession_number: 'The accession number is that of an order for another patient',
}

/** Further reasons for which a peer has no exam sent, of at most 64 characters. */
export const heldBackReasons = {
  withoutMrn: 'The exam has no MRN',
  mrnHeld: 'Another patient of the organisation has the MRN',
  unconfirmed: 'Two people have not confirmed the patient of the exam',
  otherPatient: 'The destination holds the exam under another patient',
  otherOfMrn: 'The destination holds another patient under the MRN',
  notChecked: 'The destination cannot be asked first whom it holds',
} as const
