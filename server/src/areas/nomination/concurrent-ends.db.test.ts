import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { stateOfNominations } from '../../../test/nomination-state.ts'
import { inPairs } from '../../../test/pairs-of-acts.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * As in `concurrent-acts.db.test.ts`: acts that take an exam from the gate or change what the gate allows, each beside those
 * that bring it on.
 */

const app = await startTestApp()
const gate = await openGate(app, (accountUuid) => makeDestination(app, accountUuid))
const makeNominated = async () => {
  await gate.restoreSettings()
  return gate.makeNominated()
}
const { inTurns, atOnce } = inPairs(gate.acts, makeNominated, stateOfNominations(app, gate))

const ends = ['the sender takes it back', 'the sender deletes it', 'the group deletes it'] as const
const settings = [
  'the group wants two people',
  'the group sends nowhere any more',
  "the sender's group nominates no more",
] as const
const onward = ['one sends', 'one corrects and sends', 'another rejects', 'the sender nominates again'] as const
const pairs = [...ends, ...settings].flatMap((act) => onward.map((other) => [act, other] as const))
const amongEnds = ends.flatMap((act, at) => ends.slice(at + 1).map((other) => [act, other] as const))

it.each([...pairs, ...amongEnds])(
  '[NOMINATE-03][PROCESS-14] %s while %s: as if one after the other',
  async (first, second) => {
    const outcome = await atOnce(first, second)
    expect(await inTurns(first, second, outcome)).toContainEqual(outcome)
  },
)
