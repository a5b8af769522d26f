import type { studyPushConfirm } from '@hilum/contract/calls/study-nominate'
import { readEditText } from '../altered/study-edit.ts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { storeMatch, SecondPersonWanted } from './second-person.command.ts'
import { sendNomination } from './send-nomination.command.ts'

export const pushConfirm: Handler<typeof studyPushConfirm> = async ({ services, input, caller, on, origin, fail }) => {
  const address = publicAddress(services.config, origin)
  const { row_version: rowVersion, order_id: orderUuid, order_seen: orderSeen, question = '' } = input
  const seenMrns = input.seen_mrns
  const mrnReason = readEditText('mrn_reason', input.mrn_reason ?? '')
  const sent = { address, rowVersion, orderUuid, orderSeen, mrnReason, question, seenMrns }
  const send = () =>
    services.db.transaction().execute(async (tx) => {
      const asked = await sendNomination(tx, caller, on.record, sent)
      if (asked.kind === 'noDestination') throw fail('NOT_FOUND', { subtype: 'push_destination' })
      if (asked.kind === 'notSupported') throw fail('NOT_SUPPORTED')
      if (asked.kind === 'foreignMrn') throw fail('FOREIGN_MRN')
      if (asked.kind === 'notReady') throw fail('NOT_READY')
      if (asked.kind === 'pending') throw fail('PENDING')
      if (asked.kind === 'stale') throw fail('STALE', { subtype: 'question' })
      return asked.uuid
    })
  for (let round = 0; round < mostRounds; round += 1) {
    try {
      const uuid = await send()
      services.events.ring()
      return { uuid }
    } catch (error) {
      if (!(error instanceof SecondPersonWanted)) throw error
      if (!(await storeMatch(services.db, caller, on.record, error.match))) continue
      services.events.ring()
      throw fail('SECOND_PERSON')
    }
  }
  throw fail('STALE')
}

/** Rounds in which others may have acted on the nomination while the match of the caller was made. */
const mostRounds = 5
