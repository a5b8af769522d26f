import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { type Nominated, openGate } from '../../../test/nominated-exam.ts'
import { stateOfNominations } from '../../../test/nomination-state.ts'
import { type PairedAct, inPairs, pairsOf } from '../../../test/pairs-of-acts.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * As in `concurrent-acts.db.test.ts`, in a group that wants two people for every exam, once the first of them has matched
 * the exam with an order.
 */

const app = await startTestApp()
const gate = await openGate(app, (accountUuid) => makeDestination(app, accountUuid), { risk_line: 'ALL' })
const { acts } = gate

async function makeMatched(): Promise<Nominated> {
  const on = await gate.makeNominated()
  await gate.addOrder(on)
  const matched = { uuid: on.gateSide, order_id: on.order?.uuid }
  expect(await gate.ask('study/push/confirm', gate.one.sid, matched)).toMatchObject({ error_type: 'SECOND_PERSON' })
  return on
}

/** Acts by their names in the test. */
const named: Record<string, PairedAct<Nominated>> = {
  'the first confirms again': acts['one sends'],
  'the second confirms': acts['another sends what was seen'],
  'a third confirms': acts['a leaver sends'],
  'the right of the third ends': acts['the right of the leaver ends'],
  'the first corrects and sends': acts['one corrects and sends'],
  'the second rejects': acts['another rejects'],
  'the sender cancels': acts['the sender cancels'],
  'the sender nominates again': acts['the sender nominates again'],
  "another patient's image comes": acts["another patient's image comes"],
  'an image of the same patient comes': acts['an image of the same patient comes'],
  'the order is corrected': acts['the order is corrected'],
  'the order is cancelled': acts['the order is cancelled'],
  'the number of the patient ends in another': acts['the number of the patient ends in another'],
}
const { inTurns, atOnce } = inPairs(named, makeMatched, stateOfNominations(app, gate))

it.each(pairsOf(Object.keys(named)))(
  '[PROCESS-14] %s while %s, once a first person has matched it: as if one after the other',
  async (first, second) => {
    const outcome = await atOnce(first, second)
    expect(await inTurns(first, second, outcome)).toContainEqual(outcome)
  },
)
