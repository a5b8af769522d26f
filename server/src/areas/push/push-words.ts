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

/** Warns about a push that went on without an answer of its destination. */
export const uncheckedWords = {
  exam: (reason: string) =>
    `It was not asked first whether the destination holds this exam under another patient: ${reason}.`,
  mrn: (reason: string) =>
    `It was not asked first whether the destination holds another patient under this MRN: ${reason}.`,
} as const

/** Why images are not sent on that were being sent: a share or another right ended meanwhile. */
export const rightEndedWords = 'The right to send these images has ended'

/** Why a push stopped by a fault of the server itself. */
export const unforeseenWords =
  'Sending stopped because of a fault of this server, which is in its log. It is tried again.'

/** Why no more images are sent: those of before left as somebody else's, and the exam must not be in two parts there. */
export const patientChangedWords =
  'Images of the exam were sent there before its patient or accession number was changed, and no more follow. Correct those at the destination; sent again, all images go as the exam is now'

/** Why nothing is sent: the reason was given for the exam as it was. */
export const reasonOfOtherWords =
  'The patient or accession number of the exam was changed after the reason for sending it had been given, so that it was not sent. Look at it, then send it again'

/** Why nothing more is sent: the exam was confirmed without some of its images. */
export const imagesCameWords =
  'Images came or went after the exam had been confirmed, so that no more of it is sent. Look at them, then send it again'
