import type { Obstacle } from './exam-to-send.command.ts'
import type { OrderFault } from './order-fault.command.ts'

/** An obstacle as the state of a push tells it. With a code it ends the push; without one the push may be tried again. */
interface Described {
  code?: string
  words: string
}

/** Why a push sends nothing, in words without patient data. */
export function describeObstacle(obstacle: Obstacle): Described {
  switch (obstacle.kind) {
    case 'gone':
      return { code: 'NOT_FOUND', words: 'The exam is no longer there' }
    case 'empty':
      return { code: 'NOT_READY', words: 'The exam has no images here' }
    case 'mixed':
      return { code: 'CONFLICT', words: 'The images name more than one patient' }
    case 'rejected':
      return { code: 'NOT_NOMINATED', words: rejectedWords }
    case 'unnominated':
      return { code: 'NOT_NOMINATED', words: unnominatedWords }
    case 'unreadable':
      return { code: 'NOT_SUPPORTED', words: unreadableWords }
    case 'secondPerson':
      return { code: 'SECOND_PERSON', words: secondPersonWords[obstacle.word] }
    case 'foreign':
      return { code: 'CONFLICT', words: foreignMrnWords(obstacle.issuer) }
    case 'order':
      return { code: 'CONFLICT', words: orderFaultWords[obstacle.fault] }
    case 'changed':
      return { code: 'CONFLICT', words: changedWhileAskedWords }
    case 'departing':
      return { words: departingWords }
    case 'withoutMrn':
      return { words: withoutMrnWords }
    case 'formerPatient':
      return { words: formerPatientWords }
    case 'mrnHeld':
      return { words: mrnHeldWords(obstacle.words) }
    case 'otherPatient':
      return { words: `Not sent. ${obstacle.words}. Somebody has to look at both first.` }
    case 'notChecked':
      return { words: notCheckedWords[obstacle.about](obstacle.words) }
  }
}

/** The same for a peer, whose Error Comment has 64 characters, without what names the patient. */
export function reasonOfObstacle(obstacle: Obstacle): string {
  if (obstacle.kind === 'order') return orderFaultReasons[obstacle.fault]
  if (obstacle.kind === 'mrnHeld' && !obstacle.isHere) return 'The destination holds another patient under the MRN'
  return reasons[obstacle.kind]
}

export const reasons: Readonly<Record<Exclude<Obstacle['kind'], 'order'>, string>> = {
  gone: 'The exam is no longer there',
  empty: 'The exam has no images here',
  mixed: 'The images name more than one patient',
  rejected: 'The nomination of the exam was rejected',
  unnominated: 'The exam came to its gatekeeper group without a nomination',
  unreadable: 'The configuration of the gatekeeper group cannot be read',
  secondPerson: 'Two people have not confirmed the patient of the exam',
  foreign: 'The destination takes no MRN that another authority gave',
  changed: 'The exam was changed while it waited to be sent',
  departing: 'Images of the exam leave for there under another patient',
  withoutMrn: 'The exam has no MRN',
  formerPatient: 'Images of the exam were sent there under another patient',
  mrnHeld: 'Another patient of the organisation has the MRN',
  otherPatient: 'The destination holds the exam under another patient',
  notChecked: 'The destination cannot be asked first whom it holds',
}

const orderFaultReasons: Readonly<Record<OrderFault, string>> = {
  order_cancelled: 'The order of the exam was cancelled or deleted',
  order_id: 'The exam and its order name different patients',
  issuer: 'The MRN of the exam is of another authority than its order',
  several_mrns: 'The images of the exam carry several MRNs',
  mrn_merged: 'The MRN of the exam has ended in another',
  order_accession: 'The order of the exam has another accession number now',
  accession_number: 'The accession number is that of an order for another patient',
}

/** The gatekeeper group said no, perhaps after the exam was asked for. */
const rejectedWords =
  'The nomination of the exam was rejected, so that it was not sent. Nominate it again, or cancel the nomination first'

/** Nobody has matched the exam with an order or a patient. */
const unnominatedWords =
  'The exam came to its gatekeeper group without a nomination, so that it was not sent. Nominate it from a group that sends exams there'

/** Nobody knows whom the group wants to confirm the patient, and where its exams may go. */
const unreadableWords =
  'The configuration of the gatekeeper group cannot be read, so that nothing is sent from it. An administrator can set it on the page of the group, then send the exam again'

/** The answer of the destination was about another patient. */
const changedWhileAskedWords =
  'The exam was changed while it waited to be sent, so that it was not sent. Look at it, then send it again'

/** Another record of the exam, or another door, has images on their way. */
const departingWords =
  'Images of the exam were on their way there, or left for there, under another patient while it waited to be sent, so that it was not sent'

const notCheckedWords = {
  exam: (reason: string) =>
    `Not sent, because it could not be asked first whether the destination holds this exam under another patient: ${reason}. Destinations has a setting that sends all the same.`,
  mrn: (reason: string) =>
    `Not sent, because it could not be asked first whether the destination holds another patient under this MRN: ${reason}. Destinations has a setting that sends all the same.`,
} as const

/** The MRN is another patient's, there or here. */
function mrnHeldWords(reason: string): string {
  return `Not sent. ${reason}. Correct the MRN, or send it again with the reason why both have it.`
}

/** An archive would file the exam with all others that have no MRN. */
const withoutMrnWords =
  'The exam has no MRN, so that it was not sent. Write the MRN that the patient has in the hospital, or send the exam again with a reason'

/** Two people have not confirmed the patient, or not as the exam is now. */
const secondPersonWords = {
  missing: 'The group wants two people to confirm the patient of this exam now, and two have not. Match it again',
  changed: 'The exam was changed after two people had confirmed its patient. Match it again',
} as const

/** The exam would lie there under two patients, and nobody can see whether it does. */
const formerPatientWords =
  'Images of the exam were sent there before its patient or accession number was changed, and the destination cannot be asked whether it still holds them. Correct those there, then send the exam again with a reason'

/** The number may be somebody else's here. */
function foreignMrnWords(issuer: string): string {
  return `The MRN of the exam, or of images of it, was given by another authority, ${issuer}, so that it was not sent. Match the exam with an order or a patient of this organisation, or write its MRN; if the name means the organisation’s own authority, an administrator can say so on the page Organisation`
}

const orderFaultWords: Readonly<Record<OrderFault, string>> = {
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
  order_accession:
    'The order that the exam was to leave under has another accession number now, so that it was not sent. Match it again, or write that number',
  accession_number:
    'The accession number of the exam, or of images of it, is that of an order for another patient, so that it was not sent. Correct it, or separate those images, then send the exam again',
}
