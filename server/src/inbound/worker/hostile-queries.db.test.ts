import type { WriteElement } from '@hilum/dicom/write-part10'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { makeDestination } from '../../../test/make-destination.ts'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { type Breakdown, type PeerScript, startScriptedPeer, studyAnswer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/*
 * Searches and retrievals of a destination that stops in the middle: each kind has its words, a state that is true, leaves
 * nothing running, and delays nobody who asks another destination meanwhile.
 */

const { services, call, query } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 20 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const administrator = await organisation.addPerson({ role: 'Administrator', groups: [group] })
const [hostile, well] = [await startScriptedPeer('HOSTILE'), await startScriptedPeer('WELL')]
const nodeTitle = 'HILUM_ASKS'
const destinationAt = async ({ port, title }: { port: number; title: string }) =>
  (await makeDestination({ query }, accountUuid, { port, title, name: title, nodeTitle })).uuid
const [destination, other] = [await destinationAt(hostile), await destinationAt(well)]
const places = new Map([[nodeTitle, listeners.port]])

afterEach(() => {
  vi.restoreAllMocks()
  hostile.script = {}
  well.script = {}
})

const orderAnswer = (mrn: string): WriteElement[] => [
  { tag: Tag.PatientName, vr: 'PN', value: 'FOUND^ADA' },
  { tag: Tag.PatientID, vr: 'LO', value: mrn },
]

const search = async (at: string, more: object = {}): Promise<string> => {
  const asked = { sid: staff.sid, uuid: at, copy_to: group.namespaceUuid, modality: 'OT', ...more }
  return (await call('destination/search', asked)).body.uuid
}
const found = async (uuid: string) => (await call('destination/search/get', { sid: staff.sid, uuid })).body
const isOver = async (uuid: string) => (await found(uuid)).state !== 'waiting'
const retrieve = (searchUuid: string, studyUid: string) =>
  call('destination/retrieve', { sid: staff.sid, destination_search_id: searchUuid, study_uid: studyUid })
const told = async (searchUuid: string) => (await found(searchUuid)).results[0].retrieval
const filesOf = (studyUid: string) => [1, 2].map((number) => madeImage({ studyUid, number, patientName: 'FOUND^ADA' }))
const running = (job: string) => query(`select from work where job = '${job}' and state = 'running'`)
const hurry = () => query(`update work set run_at = now() where state = 'waiting' and not by_clock`)
/** Has people wait for a search much shorter than they would. */
const waitShortly = () => {
  const real = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => real(Math.min(ms, 400)))
}

/** Words for people, by the way in which the peer stops. */
const words: Record<Exclude<Breakdown, 'silence'>, string> = {
  abort: 'The peer broke the association off',
  release: 'The peer released the association without an answer',
  'another answer': 'The peer answered something else than was asked',
}
const ways = ['abort', 'release', 'another answer'] as const
const searches = [
  ['for studies', {}, 'results', [1, 2].map((count) => studyAnswer({ uid: newUid(), images: count }))],
  ['of the worklist', { worklist: 1 }, 'orders', ['M1', 'M2'].map(orderAnswer)],
] as const

describe.each(searches)('a search %s at a destination that stops midway', (_what, more, list, answers) => {
  const kinds = ([...ways, 'silence'] as const).flatMap((by) => [0, 1].map((after) => [by, after] as const))
  it.each(kinds)('[ERROR-13] by %s, after %i answers: is told in words, and can be made again', async (by, after) => {
    waitShortly()
    hostile.script = { answers, midway: { after, by } }
    const uuid = await search(destination, more)
    await expect.poll(() => isOver(uuid)).toBe(true)
    const message = by === 'silence' ? 'The peer did not answer in time' : words[by]
    // half of the answers is no list: whoever looks for a patient would take it for all
    expect(await found(uuid)).toMatchObject({ state: 'failed', message, results: [], orders: [] })
    await expect.poll(() => running('search-destination')).toEqual([])
    await expect.poll(() => hostile.open).toBe(0)
    hostile.script = { answers }
    const again = await search(destination, more)
    await expect.poll(async () => (await found(again))[list]).toHaveLength(2)
  })

  it('by silence: is ended by whoever asked', async () => {
    hostile.script = { answers, midway: { after: 1, by: 'silence' } }
    const uuid = await search(destination, more)
    await expect.poll(() => hostile.silent).toBe(1)
    const { work } = (await call('job/list', { sid: staff.sid })).body
    const { uuid: job } = work.find((one: { job: string }) => one.job === 'search-destination')
    await call('job/cancel', { sid: staff.sid, uuid: job })
    await expect.poll(() => isOver(uuid)).toBe(true)
    expect(await found(uuid)).toMatchObject({ state: 'failed', message: 'This was cancelled' })
    await expect.poll(() => hostile.open).toBe(0)
  })

  it('by silence: delays no search elsewhere, whoever many ask it', { timeout: 60_000 }, async () => {
    hostile.script = { answers, midway: { after: 1, by: 'silence' } }
    const held: string[] = []
    for (let count = 0; count < 20; count += 1) held.push(await search(destination, more))
    await expect.poll(() => hostile.silent).toBeGreaterThan(0)
    well.script = { answers }
    const uuid = await search(other, more)
    await expect.poll(async () => (await found(uuid)).state, { timeout: 5_000 }).toBe('done')
    await query(`update work set cancelled_at = now() where job = 'search-destination' and state = 'running'`)
    hostile.script = { answers }
    await expect.poll(async () => (await Promise.all(held.map(isOver))).every(Boolean), { timeout: 30_000 }).toBe(true)
    await expect.poll(() => hostile.open).toBe(0)
  })
})

const methods = [
  ['C-MOVE', 'move'],
  ['C-GET', 'get'],
] as const

describe.each(methods)('a retrieval by %s from a destination that stops midway', (_name, method) => {
  /** A study found there, and asked for while the peer does as the script says. */
  async function ask(midway: PeerScript['midway'], at = destination, peer = hostile) {
    await query(`update destination set retrieve_method = '${method}'`)
    const studyUid = newUid()
    const script: PeerScript = {
      answers: [studyAnswer({ uid: studyUid, images: 2 })],
      files: filesOf(studyUid),
      places,
    }
    peer.script = script
    const uuid = await search(at)
    await expect.poll(() => isOver(uuid)).toBe(true)
    peer.script = { ...script, midway }
    await retrieve(uuid, studyUid)
    return { studyUid, uuid, mend: () => (peer.script = script) }
  }
  const imagesHere = async (uuid: string) => (await found(uuid)).results[0].here_image_count
  const kinds = ways.flatMap((by) => [0, 1].map((after) => [by, after] as const))

  it.each(kinds)('[RETRIEVE-03] by %s, after %i images: is told in words, and brings the rest', async (by, after) => {
    const { uuid, studyUid, mend } = await ask({ after, by })
    const isFinal = by === 'another answer'
    const state = isFinal ? (after > 0 ? 'partial' : 'failed') : 'waiting'
    await expect.poll(() => told(uuid)).toMatchObject({ state, message: words[by] })
    expect(await imagesHere(uuid)).toBe(after)
    expect(await running('retrieve-study')).toEqual([])
    await expect.poll(() => hostile.open).toBe(0)
    mend()
    await (isFinal ? retrieve(uuid, studyUid) : hurry())
    await expect.poll(() => told(uuid)).toMatchObject({ state: 'done', message: '' })
    expect(await imagesHere(uuid)).toBe(2)
  })

  it.each([0, 1])(
    '[RETRIEVE-03] by an abort at each try, after %i images: ends in words that are true',
    async (after) => {
      const { uuid, mend } = await ask({ after, by: 'abort' })
      await expect.poll(() => told(uuid)).toMatchObject({ state: 'waiting', message: words.abort })
      // no image comes by the last try
      hostile.script.midway = { after: 0, by: 'abort' }
      await expect.poll(() => running('retrieve-study')).toEqual([])
      await query(`update work set tries = 99, run_at = now() where job = 'retrieve-study' and state = 'waiting'`)
      const state = after > 0 ? 'partial' : 'failed'
      await expect.poll(() => told(uuid)).toMatchObject({ state, message: words.abort })
      expect(await imagesHere(uuid)).toBe(after)
      mend()
    },
  )

  it.each([0, 1])(
    '[RETRIEVE-03] by silence, after %i images: delays nobody elsewhere, and is ended by whoever may',
    async (after) => {
      const held = await ask({ after, by: 'silence' })
      await expect.poll(() => imagesHere(held.uuid)).toBe(after)
      await expect.poll(() => hostile.silent).toBe(1)
      const waiting = await ask({ after, by: 'silence' })
      hostile.script.files = []
      const elsewhere = await ask(undefined, other, well)
      await expect.poll(() => told(elsewhere.uuid), { timeout: 5_000 }).toMatchObject({ state: 'done' })
      expect(await told(held.uuid)).toMatchObject({ state: 'running' })
      expect(await told(waiting.uuid)).toMatchObject({ state: 'waiting' })
      const works = await query<{ uuid: string }>(
        `select uuid from work where job = 'retrieve-study' and state in ('waiting', 'running') order by state desc`,
      )
      for (const { uuid } of works) await call('job/cancel', { sid: administrator.sid, uuid })
      const state = after > 0 ? 'partial' : 'failed'
      await expect.poll(() => told(held.uuid)).toMatchObject({ state, message: 'This was cancelled' })
      await expect.poll(() => told(waiting.uuid)).toMatchObject({ state: 'failed', message: 'This was cancelled' })
      await expect.poll(() => hostile.open).toBe(0)
      expect(await running('retrieve-study')).toEqual([])
    },
  )
})
