import { mayDo } from '@hilum/contract/acts'
import { routeAdd } from '@hilum/contract/calls/route'
import { digestOf } from '../../access/sid.ts'
import type { CallRequest } from '../handler.ts'
import { perShareCode } from '../session/attempt-rules.ts'
import { asksOfSenders } from '../study/asks-of-senders.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { findRecipientOfCode } from '../study/share-recipient.sql.ts'
import { isMeant, type StoredAction } from './stored-action.ts'
import { refuse } from './read-rule.ts'
import type { RuleRow } from './route.sql.ts'
import { placesOf } from './rule-circle.ts'

type Request = Pick<CallRequest<typeof routeAdd>, 'services' | 'caller' | 'on' | 'fail'>

/**
 * Holds the share codes of a rule against those that there are, before the transaction that saves it. A rule shares by a
 * code in the right of whoever saves it, and each search is counted before it is made, so that codes cannot be found by
 * trying many. A code that the rule has already must lead to the recipient that it led to then.
 * @returns the actions, those by a code with whom it leads to
 * @throws ApiError NOT_PERMITTED, LOCKOUT, INVALID_ACTION
 */
export async function demandCodes({ services, caller, on, fail }: Request, rule: RuleRow): Promise<StoredAction[]> {
  const byPerson = digestOf(caller.userUuid)
  const actions: StoredAction[] = []
  for (const [at, action] of rule.actions.entries()) {
    if (!('share_code' in action)) {
      actions.push(action)
      continue
    }
    if (!mayDo(routeAdd.decides.share_code, on)) throw fail('NOT_PERMITTED', { subtype: 'share_code' })
    if (!(await mayAttempt(services.db, 'share-code-send', byPerson, perShareCode))) throw fail('LOCKOUT')
    const found = await findRecipientOfCode(services.db, { code: action.share_code })
    if (!found || (action.to && !isMeant(action, found))) throw refuse('INVALID_ACTION', 'GONE', at)
    await giveBackAttempt(services.db, 'share-code-send', byPerson)
    if (await asksOfSenders(services.db, found.account_uuid)) throw refuse('INVALID_ACTION', 'NOT_AVAILABLE', at)
    if (placesOf(rule).includes(found.namespace_uuid)) throw refuse('INVALID_ACTION', 'LOOP', at)
    const { kind, uuid, name } = found
    actions.push({ ...action, to: action.to ?? { kind, uuid, name } })
  }
  return actions
}
