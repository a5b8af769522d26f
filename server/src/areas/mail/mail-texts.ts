import { invitationMinutes, passwordResetMinutes } from '@hilum/contract/limits'

export interface MailText {
  subject: string
  /** With `secretMark` where the secret goes. */
  body: string
}

/** Stands in a mail's text for its secret, which is sealed apart. */
export const secretMark = '{secret}'

/** Mails name nobody and say nothing of patients: that something waits, and where. The secret is the link. */
export function resetMail(): MailText {
  return {
    subject: 'Reset your password',
    body: [
      'Somebody asked to reset the password of the login with this e-mail address.',
      '',
      `To choose a new password, open this link within ${passwordResetMinutes} minutes. It works once.`,
      secretMark,
      '',
      'If it was not you, ignore this mail: your password stays as it is.',
      '',
    ].join('\n'),
  }
}

export function invitationMail(): MailText {
  return {
    subject: 'You have been invited',
    body: [
      'An administrator made a login for you, with this e-mail address as your username.',
      '',
      `To choose your password, open this link within ${invitationMinutes / (24 * 60)} days. It works once.`,
      secretMark,
      '',
      'If the link does not work any more, use "Forgot password?" on the page where people log in.',
      '',
    ].join('\n'),
  }
}

/** To somebody who has a login. @param address the web app's own */
export function addedMail(address: string): MailText {
  return {
    subject: 'You were added to an organisation',
    body: ['An administrator added you to an organisation. Log in as you are used to:', address, ''].join('\n'),
  }
}

/** @param address the web app's own */
export function sharedMail(address: string, to: 'user' | 'group'): MailText {
  return to === 'user'
    ? {
        subject: 'An exam was shared with you',
        body: ['Somebody shared an exam with you. You find it in My studies:', address, ''].join('\n'),
      }
    : {
        subject: 'An exam was shared with a group of yours',
        body: ['Somebody shared an exam with a group that you belong to. You find it here:', address, ''].join('\n'),
      }
}

/** @param factor asked for on the page of the link; it is never in the mail itself */
export function linkMail(factor: 'none' | 'password' | 'birthDate'): MailText {
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

export function fillSecret(body: string, secret: string): string {
  return body.replaceAll(secretMark, () => secret)
}
