import type { studyDuplicate } from '@hilum/contract/calls/study-duplicate'
import type { Handler } from '../handler.ts'
import { keepCopy } from './keep-copy.command.ts'

export const duplicate: Handler<typeof studyDuplicate> = async ({ services, input, caller, on, fail }) => {
  const { record } = on
  const target = (await caller.memberships()).find((one) => one.namespaceUuid === input.namespace_id)
  if (!target) throw fail('NOT_FOUND', { subtype: 'namespace_id' })
  // a copy in another place would be a record of its own there
  if (target.namespaceUuid !== record.phi_namespace) throw fail('NO_DESTINATION')

  await services.db.transaction().execute(async (tx) => {
    const done = await keepCopy(tx, caller, record)
    if (done.kind === 'gone') throw fail('NOT_FOUND')
    if (done.kind === 'frozen') throw fail('NOT_PERMITTED', { subtype: 'frozen' })
    if (done.kind === 'awaitsApproval') throw fail('NOT_PERMITTED', { subtype: 'must_approve' })
    if (done.kind === 'phantom') throw fail('PHANTOM')
    if (done.kind === 'notShared') throw fail('ALREADY_EXISTS')
    if (done.kind === 'refused') throw fail('NOT_PERMITTED', { subtype: done.refusal })
  })
  services.events.ring()
  return {}
}
