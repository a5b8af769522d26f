import type { RecipientKind } from '@hilum/contract/calls/study-share'
import { ApiError } from '@hilum/contract/errors'
import { maxSentAddresses } from '@hilum/contract/limits'
import { isMailable, readAddresses } from '@hilum/contract/mail-address'
import { type NamedRecipient, readRecipient } from './share-recipient.policy.ts'

/** To whom a study is to go: a recipient by uuid, whoever has a share code, or e-mail addresses. */
export type ShareTarget =
  | { kind: RecipientKind; uuid: string }
  | { kind: 'code'; code: string }
  | { kind: 'email'; addresses: readonly string[] }

/** @throws ApiError INVALID_PARAMETERS for none or several kinds, INVALID_EMAIL naming an address that is none */
export function readTarget(
  input: Parameters<typeof readRecipient>[0] & { share_code?: string | undefined; email?: string | undefined },
): ShareTarget {
  const code = input.share_code?.trim()
  const addresses = readAddresses(input.email ?? '')
  const named = [input.user_id, input.group_id, input.location_id, input.account_id].filter(Boolean)
  if (named.length + Number(Boolean(code)) + Number(addresses.length > 0) !== 1)
    throw new ApiError('INVALID_PARAMETERS')
  if (code) return { kind: 'code', code }
  if (addresses.length === 0) return readRecipient(input) satisfies NamedRecipient
  const wrong = addresses.find((one) => !isMailable(one))
  if (wrong !== undefined) throw new ApiError('INVALID_EMAIL', { subtype: wrong })
  if (addresses.length > maxSentAddresses) throw new ApiError('INVALID_FIELD', { subtype: 'email' })
  return { kind: 'email', addresses }
}
