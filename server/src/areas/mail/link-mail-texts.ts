import { linkPinMinutes } from '@hilum/contract/limits'
import { type MailText, secretMark } from './mail-texts.ts'

/** @param factor asked for on the page of the link; it is never in the mail itself */
export function linkMailText(factor: 'none' | 'password' | 'birthDate'): MailText {
  const asked = {
    none: [],
    password: ['You will be asked for a password. The sender gives it to you in another way.', ''],
    birthDate: ['You will be asked for the date of birth of the patient.', ''],
  }
  return {
    subject: 'An exam is there for you to see',
    body: ['Somebody wants to show you an exam. You find it here:', secretMark, '', ...asked[factor]].join('\n'),
  }
}

/** To the addressee of a link that asks for a code. */
export function linkPinMail(): MailText {
  return {
    subject: 'Your code',
    body: [
      'Somebody opens a link that was sent to this e-mail address, and is asked for this code:',
      secretMark,
      '',
      `It holds for ${linkPinMinutes} minutes, on the page that asked for it. If it was not you, give the code to nobody: nothing is opened without it.`,
      '',
    ].join('\n'),
  }
}

/** To the outside party of whom an exam is asked. */
export function requestMail(asksPassword: boolean): MailText {
  return {
    subject: 'You are asked to send an exam',
    body: [
      'Somebody asks you to send the images of an exam. What is asked for, and by whom, you find here:',
      secretMark,
      '',
      ...(asksPassword ? ['You will be asked for a password. The sender gives it to you in another way.', ''] : []),
      'You can send a folder or a disc from your browser. Nothing has to be installed.',
      '',
    ].join('\n'),
  }
}

/** To those who are told of the use of a request. @param address of the requests of the group, in the web app */
export function requestAnsweredMail(address: string, what: 'begun' | 'ended'): MailText {
  return what === 'begun'
    ? {
        subject: 'An exam that was asked for is arriving',
        body: ['The first image came by a link of a request. You find it here:', address, ''].join('\n'),
      }
    : {
        subject: 'An exam that was asked for has arrived',
        body: ['What was sent by a link of a request has arrived. You find it here:', address, ''].join('\n'),
      }
}

/** To those who are told of the use of a link to an exam. @param address the web app's own */
export function linkOpenedMail(address: string): MailText {
  return {
    subject: 'A link to an exam was opened',
    body: ['A link to an exam was opened. Who opened which, you find with the exam:', address, ''].join('\n'),
  }
}

/** To the holder of a link that ends soon. @param factor asked for on the page of the link */
export function linkReminderMail(isRequest: boolean, factor: 'none' | 'password' | 'birthDate'): MailText {
  const asked = {
    none: [],
    password: ['You will be asked for a password. The sender gave it to you in another way.', ''],
    birthDate: ['You will be asked for the date of birth of the patient.', ''],
  }
  return isRequest
    ? {
        subject: 'A request for an exam ends soon',
        body: [
          'You were asked to send the images of an exam, and nothing has arrived so far. The page takes them for a short while only:',
          secretMark,
          '',
          ...asked[factor],
        ].join('\n'),
      }
    : {
        subject: 'A link to an exam ends soon',
        body: [
          'A link that shows you an exam ends soon. You find the exam here:',
          secretMark,
          '',
          ...asked[factor],
        ].join('\n'),
      }
}

/** To whoever gave links and requests that end soon. @param address of the page of access from outside */
export function linksEndMail(address: string, { all, unopened }: { all: number; unopened: number }): MailText {
  return {
    subject: 'Links or requests of yours end soon',
    body: [
      `${all} of the links and requests that you gave end soon; ${unopened} of them ${unopened === 1 ? 'was' : 'were'} never opened. You find them, and let them live on, here:`,
      address,
      '',
    ].join('\n'),
  }
}

/** To whoever gave a link whose mail could not be delivered. @param address of the page of access from outside */
export function linkReturnedMail(address: string): MailText {
  return {
    subject: 'A mail with a link could not be delivered',
    body: [
      'The mail with a link or a request that you gave could not be delivered. The exam or the request says why, and lets you correct the address. All that you gave you find here:',
      address,
      '',
    ].join('\n'),
  }
}
