import { passwordResetMinutes } from '@hilum/contract/limits'

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

export function fillSecret(body: string, secret: string): string {
  return body.replaceAll(secretMark, () => secret)
}
