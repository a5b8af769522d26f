import { Tag } from '@hilum/dicom/tags'
import { afterAll, expect, it } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { type Nominated, openGate } from '../../../test/nominated-exam.ts'
import { type PairedAct, inPairs, pairsOf } from '../../../test/pairs-of-acts.ts'
import { startScriptedPeer, textIn } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { startRunner } from './run-work.ts'

/*
 * Two acts on a nomination while its exam is on its way to the destination, which has the first image and has not answered
 * yet. As in `concurrent-acts.db.test.ts` the model is the system itself: whatever happens at once ends as in one of the two
 * orders. One of the acts is the end of the push itself.
 */

const app = await startTestApp()
const { services, query } = app
const runner = await startRunner(services, jobs, { pollMs: 20 })
afterAll(() => runner.stop())
const pacs = await startScriptedPeer('PACS')
const { fields, clinician, one, ask, makeNominated, acts } = await openGate(app, (accountUuid) =>
  makeDestination(app, accountUuid, { port: pacs.port, title: pacs.title }),
)

type UnderWay = Nominated & { release: () => void }

/** A nomination whose push waits for the answer to its only image. */
async function makeUnderWay(): Promise<UnderWay> {
  const { promise, resolve } = Promise.withResolvers<void>()
  pacs.stored.length = 0
  pacs.asked = 0
  const nominated = await makeNominated()
  pacs.script.beforeAnswer = () => promise
  expect(await ask('study/push/confirm', one.sid, { uuid: nominated.gateSide })).toMatchObject({ status: 'OK' })
  await expect.poll(() => pacs.asked, { timeout: 20_000 }).toBe(1)
  return { ...nominated, release: resolve }
}

const statusOf = async ({ gateSide }: Nominated): Promise<string | undefined> => {
  const [push] = await query<{ status: string }>(`select status from push where study_uuid = '${gateSide}'`)
  return push?.status
}
const isOver = async (on: Nominated) => ['S', 'F', undefined].includes(await statusOf(on))

async function endPush(on: UnderWay): Promise<string> {
  on.release()
  await expect.poll(() => isOver(on), { timeout: 20_000 }).toBe(true)
  return 'ended'
}

/** All that people and the destination see once the push is over; what never must be ends the test. */
async function stateOf(on: UnderWay): Promise<unknown> {
  await endPush(on)
  const { source, gateSide } = on
  const given = await ask('study/get', clinician.sid, { uuid: source, customfield_h: 1 })
  const got = await ask('study/get', one.sid, { uuid: gateSide, customfield_h: 1 })
  const status = await statusOf(on)
  if (status === 'S') expect(pacs.stored.length).toBeGreaterThan(0)
  // the end of a push that is still the nomination's reaches its sender
  const told = given.customfield_h[fields['nomination_push_status'] ?? '']
  if (given.nomination)
    expect([given.nomination.state, told]).toEqual([status === 'S' ? 'completed' : 'failed', status])
  if (got.nomination) expect(got.nomination.state).toBe(given.nomination?.state)
  const names = pacs.stored.map((file) => textIn(file, Tag.PatientName))
  expect(names).not.toContain('ROE^RICHARD')
  const state = {
    status,
    reached: [...new Set(pacs.stored.map((file) => textIn(file, Tag.PatientID)))],
    // an image that came meanwhile is not among those that were confirmed
    images: new Set(pacs.stored.map((file) => textIn(file, Tag.SOPInstanceUID))).size,
    late: got.study_push_status?.map((one: { late_image_count: number }) => one.late_image_count),
    source: [
      given.nomination?.state,
      given.customfield_h[fields['nomination_push_status'] ?? ''],
      given.mixed_patients,
      given.image_count,
    ],
    gate: [got.error_type, got.nomination?.state, got.patientid, got.mixed_patients, got.is_locked],
  }
  return JSON.parse(JSON.stringify(state).replaceAll(on.mrn, 'MRN'))
}

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
    const orders = await inTurns(first, second)
    expect(orders).toContainEqual(await atOnce(first, second))
  },
)
