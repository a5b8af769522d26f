import type { Link } from '@hilum/contract/calls/link'
import { ApiFailure } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { failureText } from './act-failure.tsx'

/** Why a link was not made or changed, in words a person can use. */
export function linkFault(failure: unknown): string {
  if (!(failure instanceof ApiFailure)) return failureText(failure)
  const { code, subtype } = failure
  if (code === 'NOT_READY' && subtype === 'mixed_patients') return t('share.reason.mixed')
  if (code === 'PHANTOM') return t('links.fault.PHANTOM')
  if (code === 'EXPIRED') return t('links.fault.EXPIRED')
  if (code === 'INVALID_EMAIL') return t('links.emailWrong')
  if (code === 'INVALID_FIELD' && subtype === 'password_is_dob') return t('links.fault.password_is_dob')
  if (code === 'NOT_PERMITTED' && subtype === 'attachments') return t('links.fault.attachments')
  if (code === 'NOT_PERMITTED' && subtype === 'names') return t('nameless.beside')
  if (code === 'NOT_PERMITTED') return t(subtype === 'frozen' ? 'links.fault.frozen' : 'links.fault.NOT_PERMITTED')
  return failureText(failure)
}

/** State of a link, as a line of a list. @param when a stamp in the person's own format */
export function linkStateText({ state, expires_at: expiresAt }: Link, when: (stamp: string) => string): string {
  if (state === 'open') return t('links.ends', { when: when(expiresAt) })
  if (state === 'used' || state === 'expired') return t(`links.state.${state}`, { when: when(expiresAt) })
  return t(`links.state.${state}`)
}

/** Why the address of a link was not mailed, in words a person can use. */
export function mailFault(failure: unknown): string {
  if (failure instanceof ApiFailure && failure.code === 'EXPIRED') return t('links.mailOver')
  if (failure instanceof ApiFailure && failure.code === 'NOT_PERMITTED') return t('links.mailNotPermitted')
  if (failure instanceof ApiFailure && failure.code === 'NOT_READY') return t('links.mailMixed')
  return linkFault(failure)
}

/** Uses of a link, its factor, and what it gives beside the images. */
export function detailText(link: Link): string {
  const { hits, max_hits: most } = link
  const factor = link.password_is_dob ? 'birthDate' : link.has_password ? 'password' : 'none'
  return [
    ...(link.study_count > 1 ? [t('links.shows', { count: link.study_count })] : []),
    most === null ? t('links.hits', { count: hits }) : t('links.hitsOf', { count: hits, most }),
    ...(link.pin_auth && factor === 'none' ? [] : [t(`links.asks.${factor}`)]),
    ...(link.pin_auth ? [t('links.asks.pin')] : []),
    ...(link.download ? [t('links.mayDownload')] : []),
    ...(link.attachments ? [t('links.showsFiles')] : []),
  ].join(' · ')
}
