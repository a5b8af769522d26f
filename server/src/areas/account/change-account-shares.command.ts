import type { accountSet } from '@hilum/contract/calls/account-set'
import { readShareSettings, uploadsByKey } from '@hilum/contract/share-settings'
import type { Tx } from '../../db/database.ts'
import type { CallRequest } from '../handler.ts'
import { readWords } from '../group/place.policy.ts'
import { isShareCodeTaken } from '../user/user.sql.ts'
import { type AccountShares, lockShares, updateShares } from './account-shares.sql.ts'

type Request = Pick<CallRequest<typeof accountSet>, 'input' | 'on' | 'fail'>

const flags = ['must_approve', 'must_approve_upload', 'must_approve_harvest', 'no_share'] as const
const names = [...flags, 'share_code', 'share_description', 'share_settings'] as const

/**
 * Changes how the Organisation inbox of an account takes studies in. Of a share code the audit says only that there is
 * another one.
 * @returns old and new value by field, empty when nothing changed
 */
export async function changeAccountShares(
  tx: Tx,
  { input, on, fail }: Request,
): Promise<Record<string, readonly [unknown, unknown]>> {
  const before = await lockShares(tx, on.ownerUuid)
  if (!before) throw fail('NOT_FOUND')
  const code = input.share_code === undefined ? before.share_code : readWords('share_code', input.share_code)
  if (code !== '' && code !== before.share_code && (await isShareCodeTaken(tx, code, on.ownerUuid))) {
    throw fail('DUP_SHARE_CODE')
  }
  const read = (flag: (typeof flags)[number]) => (input[flag] === undefined ? before[flag] : input[flag] === 1)
  const after: AccountShares = {
    must_approve: read('must_approve'),
    must_approve_upload: read('must_approve_upload'),
    must_approve_harvest: read('must_approve_harvest'),
    no_share: read('no_share'),
    share_code: code,
    share_description:
      input.share_description === undefined
        ? before.share_description
        : readWords('share_description', input.share_description),
    share_settings: input.share_settings ? readSettings(input.share_settings, fail) : before.share_settings,
  }
  const changed: Record<string, readonly [unknown, unknown]> = {}
  for (const name of names) {
    const [was, now] = [before[name], after[name]]
    if (JSON.stringify(was) === JSON.stringify(now)) continue
    changed[name] = name === 'share_code' ? [was && 'code', now && 'another code'] : [was, now]
  }
  if (Object.keys(changed).length > 0) await updateShares(tx, on.ownerUuid, after)
  return changed
}

/** An Organisation inbox takes no uploads of people without a login, so nobody can be named who let them in. */
function readSettings(sent: Record<string, unknown>, fail: Request['fail']): Record<string, unknown> {
  const { [uploadsByKey]: _named, ...settings } = sent
  if (readShareSettings(settings).takesUploads) throw fail('INVALID_FIELD', { subtype: 'share_settings' })
  return settings
}
