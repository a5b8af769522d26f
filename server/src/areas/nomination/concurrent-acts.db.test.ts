import { expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { openGate } from '../../../test/nominated-exam.ts'
import { stateOfNominations } from '../../../test/nomination-state.ts'
import { inPairs, pairsOf } from '../../../test/pairs-of-acts.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Two acts on one nomination at the same moment. The model is the system itself, asked one after the other: whatever two
 * people do at once must end as it would have ended in one of the orders of their requests, with the same answers to both.
 * Nothing stays locked, and nothing is on its way to a destination that nobody sent.
 */

const app = await startTestApp()
const gate = await openGate(app, (accountUuid) => makeDestination(app, accountUuid))
const { inTurns, atOnce } = inPairs(gate.acts, gate.makeNominated, stateOfNominations(app, gate))

// somebody whose right ends is one of the reviewers in all other pairs; the others are acts on a push, as two here, or
// have a file of their own (`concurrent-ends.db.test.ts`)
const {
  'a leaver sends': _,
  'the right of the leaver ends': __,
  'one sends the late images': ___,
  'the order is deleted': ____,
  'a message changes the order': _____,
  'a message cancels the order': ______,
  'the sender separates an image': _______,
  'its push is cancelled': ________,
  'the sender takes it back': _________,
  'the sender deletes it': __________,
  'the group deletes it': ___________,
  'the group wants two people': ____________,
  'the group sends nowhere any more': _____________,
  "the sender's group nominates no more": ______________,
  ...acts
} = gate.acts
const ofLeaver = ['a leaver sends', 'the right of the leaver ends'] as const

it.each([...pairsOf(Object.keys(acts)), ofLeaver])(
  '[NOMINATE-03][PROCESS-14] %s while %s: as if one after the other',
  async (first, second) => {
    const outcome = await atOnce(first, second)
    expect(await inTurns(first, second, outcome)).toContainEqual(outcome)
  },
)
