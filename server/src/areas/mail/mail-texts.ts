import { passwordResetMinutes } from '@hilum/contract/limits'

export interface MailText {
  subject: string
  body: string
}

/** Mails name nobody and say nothing of patients: that something waits, and where. */
export function resetMail(link: string): MailText {
  return {
    subject: 'Reset your password',
    body: [
      'Somebody asked to reset the password of the login with this e-mail address.',
      '',
      `To choose a new password, open this link within ${passwordResetMinutes} minutes. It works once.`,
      link,
      '',
      'If it was not you, ignore this mail: your password stays as it is.',
      '',
    ].join('\n'),
  }
}
