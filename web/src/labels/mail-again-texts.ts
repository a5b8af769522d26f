import { t } from './label.ts'

/** Texts of the form that mails the address of a link again. */
export function mailAgainTexts() {
  return {
    form: t('links.mailForm'),
    to: t('links.mailTo'),
    wrong: t('links.emailWrong'),
    send: t('links.mailAgain'),
    cancel: t('links.cancel'),
  }
}

/** That a link was not mailed, and why. */
export function mailAgainFault(reason: string): string {
  return `${t('links.mailFailed')} ${reason}`
}
