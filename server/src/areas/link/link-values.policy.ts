import { mayDo } from '@hilum/contract/acts'
import { ApiError } from '@hilum/contract/errors'
import { linkPasswordLength, maxLinkHits, maxLinkMessage, maxLinkMinutes } from '@hilum/contract/limits'
import type { LinkRight } from '@hilum/contract/link-rights'
import type { Membership } from '../../access/caller.ts'
import { hiddenFields } from '../study/field-access.policy.ts'

/** @throws ApiError INVALID_FIELD naming the value that a link cannot have */
export function checkLinkValues(sent: {
  minutes_alive?: number | undefined
  minutes_left?: number | undefined
  max_hits?: number | undefined
  password?: string | undefined
  message?: string | undefined
}): void {
  const { password = '', message = '' } = sent
  const faulty = {
    minutes_alive: isOutside(sent.minutes_alive, 1, maxLinkMinutes),
    minutes_left: isOutside(sent.minutes_left, 1, maxLinkMinutes),
    max_hits: isOutside(sent.max_hits, 0, maxLinkHits),
    password: password !== '' && isOutside(password.length, linkPasswordLength.least, linkPasswordLength.most),
    message: message.trim().length > maxLinkMessage,
  }
  const fault = Object.entries(faulty).find(([, isFaulty]) => isFaulty)
  if (fault) throw new ApiError('INVALID_FIELD', { subtype: fault[0] })
}

function isOutside(value: number | undefined, least: number, most: number): boolean {
  return value !== undefined && (value < least || value > most)
}

/** Whether a link lets the images be downloaded. */
export function givesDownload(permissions: readonly LinkRight[]): boolean {
  return mayDo('downloadExam', { permissions: new Set(permissions) })
}

/**
 * Whether a role may give what a link gives. A link shows every field that its place shows, so it takes a role that sees
 * them all; and nobody gives the download away who does not have it.
 */
export function mayGive({ permissions, fieldFlags }: Membership, download: boolean): boolean {
  return hiddenFields(fieldFlags).length === 0 && (!download || mayDo('downloadExam', { permissions }))
}

/** Whether somebody may be shown the address of a link, which opens all that the link gives. */
export function mayKnowAddress(membership: Membership, download: boolean): boolean {
  return mayDo('makeLinks', membership) && mayGive(membership, download)
}
