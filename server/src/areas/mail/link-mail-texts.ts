import { linkPinMinutes } from '@hilum/contract/limits'
import { mailOf, type MailText, withParagraphs } from './mail-label.ts'

/** The second factor that the page of a link asks for; it is never in the mail itself. */
type Factor = 'none' | 'password' | 'birthDate'

export function linkMailText(factor: Factor): MailText {
  return factor === 'none' ? mailOf('link') : withParagraphs(mailOf('link'), `asked.${factor}`)
}

/** To the addressee of a link that asks for a code. */
export const linkPinMail = (): MailText => mailOf('linkPin', { minutes: linkPinMinutes })

/** To the outside party of whom an exam is asked. */
export function requestMail(asksPassword: boolean): MailText {
  const text = asksPassword ? withParagraphs(mailOf('request'), 'asked.password') : mailOf('request')
  return withParagraphs(text, 'asked.nothingInstalled')
}

/** To those who are told of the use of a request. @param address of the requests of the group, in the web app */
export function requestAnsweredMail(address: string, what: 'begun' | 'ended' | 'incomplete'): MailText {
  return mailOf(answerTexts[what], { address })
}

const answerTexts = { begun: 'requestBegun', ended: 'requestEnded', incomplete: 'requestIncomplete' } as const

/**
 * To those who are told of the use of a link to an exam.
 * @param address the web app's own
 * @param count of openings that no mail told of
 */
export const linkOpenedMail = (address: string, count: number): MailText =>
  count === 0 ? mailOf('linkOpened', { address }) : mailOf('linkOpenedAgain', { address, count })

/** To the holder of a link that ends soon. */
export function linkReminderMail(isRequest: boolean, factor: Factor): MailText {
  const text = mailOf(isRequest ? 'requestReminder' : 'linkReminder')
  if (factor === 'none') return text
  return withParagraphs(text, factor === 'password' ? 'asked.passwordAgain' : 'asked.birthDate')
}

/** To whoever gave links and requests that end soon. @param address of the page of access from outside */
export function linksEndMail(address: string, { all, unopened }: { all: number; unopened: number }): MailText {
  return mailOf('linksEnd', { all, count: unopened, address })
}

/** To whoever gave a link whose mail could not be delivered. @param address of the page of access from outside */
export const linkReturnedMail = (address: string): MailText => mailOf('linkReturned', { address })
