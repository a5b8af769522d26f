import { mayDo } from '@hilum/contract/acts'
import type { routeAdd } from '@hilum/contract/calls/route'
import { digestOf } from '../../access/sid.ts'
import type { CallRequest } from '../handler.ts'
import { perShareCode } from '../session/attempt-rules.ts'
import { asksOfSenders } from '../study/asks-of-senders.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { findRecipientOfCode } from '../study/share-recipient.sql.ts'
import { refuse } from './read-rule.ts'
import type { RuleRow } from './route.sql.ts'
import { placesOf } from './rule-circle.ts'

type Request = Pick<CallRequest<typeof routeAdd>, 'services' | 'caller' | 'on' | 'fail'>

/**
 * Holds the share codes of a rule against those that there are. A rule shares by a code in the right of whoever saves
 * it, and each search is counted before it is made, so that codes cannot be found by trying many.
 * @throws ApiError NOT_PERMITTED, LOCKOUT, INVALID_ACTION
 */
export async function demandCodes({ services, caller, on, fail }: Request, rule: RuleRow): Promise<void> {
  const byPerson = digestOf(caller.userUuid)
  for (const [at, action] of rule.actions.entries()) {
    if (!('share_code' in action)) continue
    if (!mayDo('sendByShareCode', on)) throw fail('NOT_PERMITTED', { subtype: 'share_code' })
    if (!(await mayAttempt(services.db, 'share-code-send', byPerson, perShareCode))) throw fail('LOCKOUT')
    const found = await findRecipientOfCode(services.db, { code: action.share_code })
    if (!found) throw refuse('INVALID_ACTION', 'GONE', at)
    await giveBackAttempt(services.db, 'share-code-send', byPerson)
    if (await asksOfSenders(services.db, found.account_uuid)) throw refuse('INVALID_ACTION', 'NOT_AVAILABLE', at)
    if (placesOf(rule).includes(found.namespace_uuid)) throw refuse('INVALID_ACTION', 'LOOP', at)
  }
}
