import type { studyPush } from '@hilum/contract/calls/study-push'
import type { Handler } from '../handler.ts'
import { readEditText } from '../altered/study-edit.ts'
import { findLackOfNomination } from '../push/lack-of-nomination.ts'
import { pushStudy } from '../push/push-study.command.ts'
import { isConfirmedByTwo } from '../nomination/confirmed-by-two.command.ts'

export const push: Handler<typeof studyPush> = async ({ services, input, caller, on, fail }) => {
  const mrnReason = readEditText('mrn_reason', input.mrn_reason ?? '')
  const { question = '' } = input
  if (mrnReason !== '' && question === '') throw fail('MISSING_FIELDS', { subtype: ['question'] })
  const by = { userUuid: caller.userUuid, caller }
  const uuid = await services.db.transaction().execute(async (tx) => {
    const lack = await findLackOfNomination(tx, on.record)
    if (lack === 'unreadable') throw fail('NOT_SUPPORTED', { subtype: 'inbox_config' })
    const isUnnominated = lack !== undefined
    const isConfirmed = isUnnominated || (await isConfirmedByTwo(tx, on.record, input.destination_id))
    if (!isConfirmed) throw fail('SECOND_PERSON')
    const asked = await pushStudy(tx, by, on.record, input.destination_id, {
      isLate: input.late_images === 1,
      mrnReason,
      question,
    })
    if (asked.kind === 'noDestination') throw fail('NOT_FOUND', { subtype: 'destination_id' })
    if (asked.kind === 'notSupported') throw fail('NOT_SUPPORTED')
    if (asked.kind === 'foreignMrn') throw fail('FOREIGN_MRN')
    if (asked.kind === 'notReady') throw fail('NOT_READY')
    if (asked.kind === 'pending') throw fail('PENDING')
    if (isUnnominated) throw fail('NOT_NOMINATED')
    if (asked.kind === 'stale') throw fail('STALE', { subtype: 'question' })
    return asked.uuid
  })
  services.events.ring()
  return { uuid }
}
