import type { linkSet } from '@hilum/contract/calls/link'
import { megabyte } from '@hilum/contract/limits'
import { type LinkRight, rightsOfLink } from '@hilum/contract/link-rights'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { hashPassword } from '../user/password-hash.ts'
import { bringBackLink } from './bring-back-link.command.ts'
import { findLink } from './link-list.sql.ts'
import { changeLink, lockRightsOfLink, setMostBytes, showsNameless } from './link.sql.ts'
import { findLinkLimits } from './link-limits.command.ts'
import { mayKnowExpected, placeOf } from './link-place.policy.ts'
import { checkLinkValues, whatLinkGives, linkError, mayGive } from './link-values.policy.ts'

export const set: Handler<typeof linkSet> = async ({ services, input, caller, on, origin, fail }) => {
  const { membership, accountUuid, objectUuid } = placeOf(on)
  const { uuid, password, max_hits: maxHits, download, attachments, minutes_left: minutesLeft } = input
  const link = await findLink(services.db, uuid)
  if (!link) throw fail('NOT_FOUND')
  const isRequest = link.action === 'STUDY_UPLOAD'
  checkLinkValues(input, isRequest ? undefined : (await findLinkLimits(services.db, accountUuid)).most)
  if (isRequest && download === 1) throw fail('INVALID_FIELD', { subtype: 'download' })
  if (isRequest && attachments === 1) throw fail('INVALID_FIELD', { subtype: 'attachments' })
  if (!isRequest && input.max_megabytes !== undefined) throw fail('INVALID_FIELD', { subtype: 'max_megabytes' })
  // the page shows the expected patient to whoever types the password
  if (isRequest && password && link.expected && !mayKnowExpected(membership)) throw fail('NOT_PERMITTED')
  // extending a link needs the rights that the link gives
  const givesFrom = (permissions: readonly LinkRight[]) => {
    const given = whatLinkGives(permissions)
    const gives = {
      download: download === undefined ? given.download : download === 1,
      attachments: attachments === undefined ? given.attachments : attachments === 1,
    }
    if (!isRequest && !mayGive(membership, gives)) throw fail('NOT_PERMITTED')
    return gives
  }
  givesFrom(link.permissions)
  if (attachments === 1 && (await showsNameless(services.db, uuid))) throw linkError('nameless')
  const isGivenAnew = download !== undefined || attachments !== undefined
  const passwordHash = password === undefined ? undefined : password ? await hashPassword(password) : null
  const { password: _password, uuid: _uuid, ...recorded } = input
  await services.db.transaction().execute(async (tx) => {
    // somebody else may have taken a right back since the link was read
    const gives = givesFrom(await lockRightsOfLink(tx, uuid))
    const to = { accountUuid, address: publicAddress(services.config, origin) }
    if (input.restore === 1 && !(await bringBackLink(tx, services.sealer, link, to))) throw fail('EXPIRED')
    const isChanged = await changeLink(tx, uuid, {
      minutesLeft,
      maxHits: maxHits === undefined ? undefined : maxHits || null,
      passwordHash,
      permissions: isGivenAnew && !isRequest ? rightsOfLink(gives) : undefined,
      isUnlocked: input.unlock === 1,
    })
    if (!isChanged) throw fail('EXPIRED')
    if (input.max_megabytes !== undefined) await setMostBytes(tx, uuid, input.max_megabytes * megabyte)
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'EDIT',
      type: 'Link',
      objectUuid,
      phiNamespace: membership.namespaceUuid,
      detail: {
        link: uuid,
        ...recorded,
        ...(password === undefined ? {} : { password: password ? 'changed' : 'removed' }),
      },
    })
  })
  return {}
}
