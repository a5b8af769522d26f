import { t } from './label.ts'

/** The question before a dialog closes that was filled in. */
export function throwAwayTexts() {
  return {
    title: t('throwAway.title'),
    text: t('throwAway.text'),
    stay: t('throwAway.stay'),
    leave: t('throwAway.leave'),
  }
}
