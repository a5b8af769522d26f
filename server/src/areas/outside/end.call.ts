import { mayDo } from '@hilum/contract/acts'
import type { outsideEnd } from '@hilum/contract/calls/outside'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { endLink } from '../link/link.sql.ts'
import { endShare } from '../study/end-share.command.ts'
import { findEndedShare, findOutsideLink, findOutsideShare } from './outside.sql.ts'

/** Ends an access that the caller gave, or anybody of an account that the caller administers; any other is not found. */
export const end: Handler<typeof outsideEnd> = async (request) => {
  const { services, input, fail } = request
  const { share_id: shareUuid, link_id: linkUuid } = input
  if ((shareUuid === undefined) === (linkUuid === undefined)) throw fail('INVALID_PARAMETERS')
  await services.db
    .transaction()
    .execute((tx) =>
      shareUuid ? endOutsideShare(tx, request, shareUuid) : endOutsideLink(tx, request, linkUuid ?? ''),
    )
  services.events.ring()
  return {}
}

async function endOutsideShare(tx: Tx, request: CallRequest<typeof outsideEnd>, uuid: string): Promise<void> {
  const { caller, on, fail } = request
  const share = await findOutsideShare(tx, on.ownerUuid, uuid)
  const found = share ?? (await findEndedShare(tx, on.ownerUuid, uuid))
  if (!found || !mayEnd(request, found)) throw fail('NOT_FOUND', { subtype: 'share_id' })
  if (!share || !(await endShare(tx, caller, uuid))) throw fail('EXPIRED')
}

async function endOutsideLink(tx: Tx, request: CallRequest<typeof outsideEnd>, uuid: string): Promise<void> {
  const { caller, on, fail } = request
  const link = await findOutsideLink(tx, on.ownerUuid, uuid)
  if (!link || !mayEnd(request, link)) throw fail('NOT_FOUND', { subtype: 'link_id' })
  if (!(await endLink(tx, uuid))) throw fail('EXPIRED')
  await writeAudit(tx, {
    accountUuid: on.ownerUuid,
    caller,
    action: 'DELETE',
    type: 'Link',
    objectUuid: link.study_uuid ?? link.namespace_uuid,
    phiNamespace: link.namespace_uuid,
    detail: { link: uuid },
  })
}

function mayEnd(
  { caller, on }: CallRequest<typeof outsideEnd>,
  { by_user: byUser }: { by_user: string | null },
): boolean {
  return byUser === caller.userUuid || mayDo('administerAccount', on)
}
