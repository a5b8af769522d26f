import type { accountUserHoldings } from '@hilum/contract/calls/account-leaver'
import type { Handler } from '../handler.ts'
import { hidePatient } from '../retention/hide-patient.ts'
import { listRulesThatShareWith } from '../routing/uses.sql.ts'
import { findHiddenNames } from '../study/hidden-names.command.ts'
import { findLeaver, listHoldings } from './holdings.sql.ts'

export const userHoldings: Handler<typeof accountUserHoldings> = async ({ services: { db }, input, on, fail }) => {
  const person = await findLeaver(db, on.ownerUuid, input.user_id)
  if (!person) throw fail('USER_NOT_FOUND')
  const hidden = await findHiddenNames(db, on.ownerUuid, on.fieldFlags)
  // the exams of somebody who works here are nobody else's yet
  const isGone = person.is_active === 0
  const holdings = (await listHoldings(db, on.ownerUuid, person.user_id)).map(({ kind, count, first }) => ({
    kind,
    count,
    first: isGone ? first.map((one) => hidePatient(one, hidden)) : [],
  }))
  return { ...person, holdings, routes: await listRulesThatShareWith(db, on.ownerUuid, person.user_id) }
}
