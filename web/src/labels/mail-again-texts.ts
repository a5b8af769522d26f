import { t } from './label.ts'

/** Texts of the form that mails the address of a link again. */
export function mailAgainTexts() {
  return {
    form: t('links.mailForm'),
    to: t('links.mailTo'),
    wrong: t('links.emailWrong'),
    other: t('links.mailOther'),
    send: t('links.mailAgain'),
    cancel: t('links.cancel'),
  }
}

/** The failure to mail a link, with its reason. */
export function mailAgainFault(reason: string): string {
  return `${t('links.mailFailed')} ${reason}`
}
