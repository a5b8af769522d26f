import { invitationMinutes, passwordResetMinutes } from '@hilum/contract/limits'
import type { CertificateLevel } from '../../certificate-term.ts'

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
export function sharedMail(address: string, to: 'user' | 'group' | 'location' | 'account'): MailText {
  if (to === 'account') {
    return {
      subject: 'An exam was sent to your organisation',
      body: ['Another organisation sent yours an exam. You find it in the Organisation inbox:', address, ''].join('\n'),
    }
  }
  if (to === 'location') {
    return {
      subject: 'An exam was shared with a location of yours',
      body: ['Somebody shared an exam with a location that you belong to. You find it here:', address, ''].join('\n'),
    }
  }
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

/** To whoever had an exam by a share. @param address the web app's own */
export function retractedMail(address: string): MailText {
  return {
    subject: 'An exam was taken back',
    body: [
      'The owner of an exam that you had access to took it back. It is not there for you any more:',
      address,
      '',
    ].join('\n'),
  }
}

/** To whoever has an exam by a share out of which images were moved. @param address the web app's own */
export function separatedMail(address: string): MailText {
  return {
    subject: 'Images of an exam were moved',
    body: [
      'Images of an exam that you have access to were moved to another exam. They may belong to another patient. Please look at the exam again:',
      address,
      '',
    ].join('\n'),
  }
}

/** To whoever has one of two exams by a share that were made one. @param address the web app's own */
export function mergedMail(address: string): MailText {
  return {
    subject: 'Two exams were merged',
    body: [
      'An exam that you have access to was merged with another exam of the same patient: images left it or came to it. Please look at the exam again:',
      address,
      '',
    ].join('\n'),
  }
}

/** To whoever was sent a link. */
export function retractedLinkMail(): MailText {
  return {
    subject: 'An exam was taken back',
    body: [
      'The owner of an exam that a link was to show you took it back. The link does not open it any more.',
      '',
    ].join('\n'),
  }
}

/** To those of a gatekeeper group who chose to be told. @param address the web app's own */
export function nominatedMail(address: string): MailText {
  return {
    subject: 'An exam was nominated to a group of yours',
    body: ['An exam waits to be processed in a group that you belong to. You find it here:', address, ''].join('\n'),
  }
}

/** To the sender of a share. @param address the web app's own */
export function rejectedMail(address: string): MailText {
  return {
    subject: 'An exam that you shared was not accepted',
    body: [
      'Those who approve exams for a group did not accept one that you shared. You find the reason with the exam:',
      address,
      '',
    ].join('\n'),
  }
}

export function resetTwoFactorMail(): MailText {
  return {
    subject: 'Your two-factor sign-in was reset',
    body: [
      'An administrator took the second factor off your login. You log in with your password alone until you set up a new one.',
      '',
      'If you did not ask for it, tell your administrator at once.',
      '',
    ].join('\n'),
  }
}

/** @param address the web app's own */
export function harvestedMail(address: string): MailText {
  return {
    subject: 'Exams have arrived',
    body: ['Exams came from a gateway or scanner into a group of yours. You find them here:', address, ''].join('\n'),
  }
}

/** To those who may approve exams in a place. @param address the web app's own */
export function approvalMail(address: string): MailText {
  return {
    subject: 'Exams wait for your approval',
    body: ['Exams came into a place where you decide which are taken in. You find them here:', address, ''].join('\n'),
  }
}

/** To the administrators of an organisation. @param address the web app's own */
export function connectionMail(change: 'asked' | 'connected' | 'ended', address: string): MailText {
  const texts = {
    asked: ['An organisation asks to be connected', 'Another organisation asks to exchange exams with yours.'],
    connected: ['An organisation is connected', 'Another organisation and yours can exchange exams now.'],
    ended: ['A connection has ended', 'Your organisation and another do not exchange exams any more.'],
  } as const
  const [subject, line] = texts[change]
  return { subject, body: [`${line} You find it under Administration, Connections:`, address, ''].join('\n') }
}

/** To the administrators of the organisations. @param address the web app's own */
export function diskMail(
  address: string,
  level: 'low' | 'very-low' | 'full',
  room: { free: string; total: string },
): MailText {
  const texts = {
    low: ['The disk of the server fills up', 'Less than a fifth of it is free. Plan for more room.'],
    'very-low': ['The disk of the server is nearly full', 'Less than a tenth of it is free. Make room soon.'],
    full: [
      'The disk of the server is full',
      'Uploads are refused until there is room. Signing in, reading, editing and deleting go on.',
    ],
  } as const
  const [subject, line] = texts[level]
  return {
    subject,
    body: [line, `Free: ${room.free} of ${room.total}, at ${address}`, ''].join('\n'),
  }
}

/** To the administrators of the organisations. @param address the web app's own */
export function certificateMail(address: string, level: Exclude<CertificateLevel, 'ample'>, endsAt: Date): MailText {
  const texts = {
    'within-30-days': ['The certificate of the server ends within 30 days', 'Plan to renew it.'],
    'within-14-days': ['The certificate of the server ends within 14 days', 'Renew it soon.'],
    'within-3-days': ['The certificate of the server ends within 3 days', 'Renew it now.'],
    over: ['The certificate of the server is over', 'Browsers and senders refuse the connection. Renew it now.'],
  } as const
  const [subject, line] = texts[level]
  const day = endsAt.toISOString().slice(0, 16).replace('T', ' ')
  return {
    subject,
    body: [
      `${line} The files of HILUM_TLS_CERT and HILUM_TLS_KEY are to be replaced; no restart is needed.`,
      `Valid until: ${day} UTC, at ${address}`,
      '',
    ].join('\n'),
  }
}

/** To whoever takes over what somebody left. @param address the web app's own */
export function handedOverMail(address: string): MailText {
  return {
    subject: 'Work was handed over to you',
    body: ['An administrator handed over to you what a colleague left. You find it here:', address, ''].join('\n'),
  }
}

/** To an administrator who tries the mail server. */
export function mailTestText(): MailText {
  return {
    subject: 'Test of your mail server',
    body: ['This mail came through the mail server of the settings: mails of this installation arrive.', ''].join('\n'),
  }
}

export function fillSecret(body: string, secret: string): string {
  return body.replaceAll(secretMark, () => secret)
}
