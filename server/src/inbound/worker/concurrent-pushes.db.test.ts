import { afterAll, describe, expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { type Nominated, openGate } from '../../../test/nominated-exam.ts'
import { type PairedAct, inPairs, pairsOf } from '../../../test/pairs-of-acts.ts'
import { pushesUnderWay, type UnderWay } from '../../../test/push-under-way.ts'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { startRunner } from './run-work.ts'

/*
 * Two acts on a nomination while its exam is on its way to the destination, which has the first image and has not answered
 * yet. As in `concurrent-acts.db.test.ts` the model is the system itself: whatever happens at once ends as in one of the two
 * orders. One of the acts is the end of the push itself. Acts on the order of the exam, and on some of its images alone, are
 * tried at the moment as well at which the destination is asked for the exam.
 */

const app = await startTestApp()
const runner = await startRunner(app.services, jobs, { pollMs: 20 })
afterAll(() => runner.stop())
const pacs = await startScriptedPeer('PACS')
const gate = await openGate(app, (accountUuid) =>
  makeDestination(app, accountUuid, { port: pacs.port, title: pacs.title }),
)
const { acts } = gate
const { makeUnderWay, endPush, stateOf } = pushesUnderWay(app, pacs, gate)

const { 'one sends': again } = acts
const named = {
  'one sends again': again,
  ...Object.fromEntries(
    (
      [
        'one retries',
        'one sends the late images',
        'another rejects',
        'the sender cancels',
        'the sender nominates again',
        'one edits',
        "another patient's image comes",
        'an image of the same patient comes',
        'the sender merges another exam into it',
      ] as const
    ).map((name): [string, PairedAct<Nominated>] => [name, acts[name]]),
  ),
}
const meanwhile: Record<string, PairedAct<UnderWay>> = { 'the push ends': { steps: [endPush] }, ...named }
const { inTurns, atOnce } = inPairs(meanwhile, makeUnderWay, stateOf)

it.each(pairsOf(Object.keys(meanwhile)))(
  '[NOMINATE-03] %s while %s, with a push under way: as if one after the other',
  async (first, second) => {
    const outcome = await atOnce(first, second)
    expect(await inTurns(first, second, outcome)).toContainEqual(outcome)
  },
)

/** Acts of others than the people of the gatekeeper group, and those that each of them is tried beside. */
const ofOthers = [
  'the order is corrected',
  'the order is cancelled',
  'the order is deleted',
  'a message changes the order',
  'a message cancels the order',
  'the number of the patient ends in another',
  'the sender separates an image',
  'the sender merges another exam into it',
] as const
/** By the moment of the push; once an image has left, nobody sends the exam anew before the end. */
const beside = {
  asked: ['the push ends', 'one retries', 'one edits'],
  sent: ['the push ends', 'one edits'],
} as const

describe.each(['asked', 'sent'] as const)(
  'with a push of an ordered exam that waits once the destination is %s',
  (stage) => {
    const pushes = pushesUnderWay(app, pacs, gate, { stage, isOrdered: true, images: 2 })
    const named = Object.fromEntries(ofOthers.map((name): [string, PairedAct<Nominated>] => [name, acts[name]]))
    const all: Record<string, PairedAct<UnderWay>> = {
      ...meanwhile,
      ...named,
      'the push ends': { steps: [pushes.endPush] },
    }
    const pairs = inPairs(all, pushes.makeUnderWay, pushes.stateOf)

    const pairsBeside = ofOthers.flatMap((act) => beside[stage].map((other) => [act, other] as const))
    it.each(pairsBeside)('[NOMINATE-03] %s while %s: as if one after the other', async (first, second) => {
      const outcome = await pairs.atOnce(first, second)
      expect(await pairs.inTurns(first, second, outcome)).toContainEqual(outcome)
    })
  },
)

describe('with a push under way', () => {
  const make = async () => {
    await gate.restoreSettings()
    return makeUnderWay()
  }
  afterAll(() => gate.restoreSettings())
  const acting = [
    'its push is cancelled',
    'the sender takes it back',
    'the group deletes it',
    'the group sends nowhere any more',
  ] as const
  const named = Object.fromEntries(acting.map((name): [string, PairedAct<Nominated>] => [name, acts[name]]))
  const { atOnce: atOnceWithEnd } = inPairs<UnderWay>({ ...meanwhile, ...named }, make, stateOf)

  // a run hears of these a moment later, in which it may end: `stateOf` holds what both places read against each other
  it.each(acting)(
    '[NOMINATE-03] %s while the push ends: completed or failed, and the same in both places',
    async (act) => {
      const { state, answers } = await atOnceWithEnd(act, 'the push ends')
      expect(['S', 'F']).toContain((state as { status: string }).status)
      expect(['OK', 'NOT_FOUND']).toContain(answers[`1 ${act}`])
    },
  )
})
