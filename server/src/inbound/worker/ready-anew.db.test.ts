import { rulesAfterSeparationMinutes } from '@hilum/contract/limits'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { deliveredStudies, listenTo } from '../../../test/listening-hooks.ts'
import { type MadeImage, madeImage } from '../../../test/made-image.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { completeQuietStudies } from '../../areas/ingest/complete-study.command.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { lookAtRules } from '../../areas/route/look-at-rules.job.ts'
import { makeSeparationActs } from '../../areas/separation/make-separation.job.ts'

const { services, call, query } = await startTestApp()
const { accountUuid, organisation, makePlace, received, share } = await makeSharing({ services, call })
const admin = await organisation.addPerson({ role: 'Administrator' })

const anna = { patientName: 'Stays^Anna', patientId: 'A1', birthDate: '19700101', sex: 'F' }
const bert = { patientName: 'Moves^Bert', patientId: 'B1', birthDate: '19551212', sex: 'M' }

/** A text that makes a header long enough for metadata to be written ahead. */
const longText = { tag: 0x0040a160, vr: 'UT', value: 'x'.repeat(300 * 1024) } as const

type Place = Awaited<ReturnType<typeof makePlace>>

async function arrive(place: Place, image: MadeImage, source: 'upload' | 'harvest' = 'upload'): Promise<void> {
  const bytes = madeImage({ ...image, more: [longText] })
  const chunks = (async function* () {
    yield bytes
  })()
  const sourceName = source === 'harvest' ? 'CT_ROOM_1' : ''
  const arrival = { namespaceUuid: place.group.namespaceUuid, accountUuid, source, quietSeconds: 30, sourceName }
  expect((await receiveImage(services, arrival, chunks)).outcome).toBe('stored')
}

const quiet = () => completeQuietStudies(services, new Date(Date.now() + 200_000))

/** A rule of a place that gives what came by these ways to a group. */
async function makeRule(from: Place, to: Place, ways: object): Promise<string> {
  const actions = [{ namespace: to.group.namespaceUuid }]
  const rule = { sid: admin.sid, namespace_id: from.group.namespaceUuid, name: 'Pass on', actions, ...ways }
  const { body } = await call('route/add', rule)
  expect(body).toMatchObject(done)
  return body.uuid
}

const makeHook = () => listenTo({ query }, accountUuid, 'STUDY_SYNC')

/** Takes the work of a job from the queue. */
const takeWork = async (job: string) =>
  (
    await query<{ payload: { studyUuid: string; trigger: string } }>(
      `delete from work where job = '${job}' returning payload`,
    )
  ).map(({ payload }) => payload)

/** Has the rules look at whatever is due. @returns the studies, with the way by which each came */
async function runRules() {
  const looks = (
    await query<{ payload: { studyUuid: string; trigger: string } }>(
      `delete from work where job = 'look-at-rules' and run_at <= now() returning payload`,
    )
  ).map(({ payload }) => payload)
  for (const look of looks) await lookAtRules(services, look as never)
  return looks.map(({ studyUuid, trigger }) => [studyUuid, trigger])
}

/** Minutes from a separation to the look of rules at each exam that waits. */
const waits = (separation: string) =>
  query<{ study: string; minutes: number }>(
    `select w.payload ->> 'studyUuid' as study,
      round(extract(epoch from w.run_at - p.updated) / 60)::integer as minutes
    from work w, separation p
    where w.job = 'look-at-rules' and w.run_at > now() and p.uuid = '${separation}'`,
  )

/** Brings the time forward at which rules look at exams. */
const letTimePass = () => query(`update work set run_at = now() where job in ('look-at-rules', 'run-route')`)

/** Studies that a rule decided about, the latest last. */
const ruled = async (rule: string) =>
  (
    await query<{ uuid: string }>(
      `select study_uuid as uuid from route_run where rule_uuid = '${rule}' order by created`,
    )
  ).map(({ uuid }) => uuid)
const hooked = (hook: string) => deliveredStudies({ query }, hook)
const readyOf = (uuid: string) =>
  query(`select number, reason, images from study_ready where study_uuid = '${uuid}' order by number`)

const ask = async (path: string, sent: Record<string, unknown>) =>
  (await call(path, sent)).body as never as Record<string, never>
const work = { work: 'test', signal: new AbortController().signal } as never

/** @returns the separation */
async function separate(path: 'study/split' | 'study/merge', sent: Record<string, unknown>): Promise<string> {
  const { digest } = await ask(`${path}/preview`, sent)
  const begun = await ask(path, { ...sent, digest })
  expect(begun).toMatchObject(done)
  const separationUuid = begun['uuid'] as never as string
  await makeSeparationActs.run(services, { separationUuid }, work)
  return separationUuid
}

/** Two patients in one study of a place, of whom Bert is separated. */
async function separateBert(place: Place, mixed: string): Promise<{ separation: string; made: string }> {
  const { patients } = (await ask('study/patients', { sid: place.sid, uuid: mixed })) as never as {
    patients: { key: string; patient_name: string }[]
  }
  const patient = patients.find((one) => one.patient_name === bert.patientName)?.key
  const separation = await separate('study/split', { sid: place.sid, uuid: mixed, move: [{ patient }] })
  const [row] = await query<{ uuid: string }>(
    `select to_study_uuid as uuid from separation where uuid = '${separation}'`,
  )
  return { separation, made: row?.uuid ?? '' }
}

test.each(['upload', 'harvest'] as const)(
  'a separated exam that came by %s is ready once, as one that arrives; the one that it came from is not again',
  async (source) => {
    const [place, other] = [await makePlace('Administrator'), await makePlace('Administrator')]
    const rule = await makeRule(place, other, { [`on_${source}`]: 1 })
    const studyUid = newUid()
    await arrive(place, { studyUid, series: 1, number: 1, ...anna }, source)
    for (const number of [1, 2]) await arrive(place, { studyUid, series: 2, number, ...bert }, source)
    await quiet()
    const mixed = (await received(place, studyUid))?.uuid ?? ''
    expect(await runRules()).toEqual([[mixed, source]])
    await takeWork('write-metadata')
    const hook = await makeHook()

    const { separation, made } = await separateBert(place, mixed)
    expect(await query(`select source, source_ae_title from study where uuid = '${made}'`)).toEqual([
      { source, source_ae_title: source === 'harvest' ? 'CT_ROOM_1' : '' },
    ])
    expect(await readyOf(made)).toEqual([{ number: 1, reason: 'joined', images: 2 }])
    expect(await readyOf(mixed)).toEqual([{ number: 1, reason: 'quiet', images: 3 }])
    expect(await runRules()).toEqual([])
    expect(await waits(separation)).toEqual([{ study: made, minutes: rulesAfterSeparationMinutes }])
    await letTimePass()
    expect(await runRules()).toEqual([[made, source]])
    expect(await ruled(rule)).toEqual([mixed, made])
    expect(await hooked(hook)).toEqual([made])
    expect((await takeWork('write-metadata')).map((one) => one.studyUuid)).toContain(made)
    await quiet()
    expect(await runRules()).toEqual([])
    await call('webhook/delete', { sid: admin.sid, uuid: hook })
  },
)

test('an exam that others were merged into is ready again with what came to it; the emptied one is not', async () => {
  const [place, other] = [await makePlace('Administrator'), await makePlace('Administrator')]
  const [stays, moves] = [newUid(), newUid()]
  for (const studyUid of [stays, moves]) await arrive(place, { studyUid, series: 1, number: 1, ...anna })
  await quiet()
  const [uuid, emptied] = [(await received(place, stays))?.uuid ?? '', (await received(place, moves))?.uuid ?? '']
  const rule = await makeRule(place, other, { on_upload: 1 })
  const hook = await makeHook()
  const separation = await separate('study/merge', { sid: place.sid, uuid, secondary_uuid: emptied })
  expect(await readyOf(uuid)).toMatchObject([{ reason: 'quiet' }, { number: 2, reason: 'joined', images: 1 }])
  expect(await readyOf(emptied)).toHaveLength(1)
  expect(await hooked(hook)).toEqual([uuid])
  // late images of the exam run its rules, which wait for what was merged too
  await arrive(place, { studyUid: stays, series: 1, number: 2, ...anna })
  await quiet()
  expect(await runRules()).toEqual([])
  const wait = { study: uuid, minutes: rulesAfterSeparationMinutes }
  expect(await waits(separation)).toEqual([wait, wait])
  await letTimePass()
  expect(await runRules()).toEqual([
    [uuid, 'upload'],
    [uuid, 'upload'],
  ])
  expect(await ruled(rule)).toEqual([uuid])
  await call('webhook/delete', { sid: admin.sid, uuid: hook })
})

test('rules never look at a separated exam that Undo ended before', async () => {
  const [place, other] = [await makePlace('Administrator'), await makePlace('Administrator')]
  const studyUid = newUid()
  await arrive(place, { studyUid, series: 1, number: 1, ...anna })
  await arrive(place, { studyUid, series: 2, number: 1, ...bert })
  await quiet()
  const mixed = (await received(place, studyUid))?.uuid ?? ''
  const rule = await makeRule(place, other, { on_upload: 1 })
  const { separation, made } = await separateBert(place, mixed)
  expect(await waits(separation)).toMatchObject([{ study: made }])
  const undo = { sid: place.sid, uuid: mixed, separation_id: separation }
  expect(await ask('study/split/undo', undo)).toMatchObject(done)
  await letTimePass()
  expect(await runRules()).toEqual([])
  expect(await ruled(rule)).toEqual([])
})

test.each(['before rules looked', 'while a rule waits'])(
  'after Undo of a merge no rule acts for it: %s; images that came meanwhile have their rules',
  async (when) => {
    const [place, other] = [await makePlace('Administrator'), await makePlace('Administrator')]
    const [stays, moves] = [newUid(), newUid()]
    for (const studyUid of [stays, moves]) await arrive(place, { studyUid, series: 1, number: 1, ...anna })
    await quiet()
    const [uuid, emptied] = [(await received(place, stays))?.uuid ?? '', (await received(place, moves))?.uuid ?? '']
    const rule = await makeRule(place, other, { on_upload: 1, delay_seconds: 600 })
    await takeWork('run-route')
    const separation = await separate('study/merge', { sid: place.sid, uuid, secondary_uuid: emptied })
    const hasLooked = when === 'while a rule waits'
    if (hasLooked) await letTimePass()
    expect(await runRules()).toEqual(hasLooked ? [[uuid, 'upload']] : [])
    expect(await ruled(rule)).toEqual(hasLooked ? [uuid] : [])
    expect(await ask('study/split/undo', { sid: place.sid, uuid, separation_id: separation })).toMatchObject(done)
    await letTimePass()
    expect(await runRules()).toEqual([])
    expect(await takeWork('run-route')).toEqual([])
    expect(await ruled(rule)).toEqual([])
    await arrive(place, { studyUid: stays, series: 1, number: 2, ...anna })
    await quiet()
    expect(await runRules()).toEqual([[uuid, 'upload']])
    expect(await ruled(rule)).toEqual([uuid])
    await takeWork('run-route')
  },
)

test('whoever has an exam again that was taken back has it ready, with rules, metadata and event; so does a bin', async () => {
  const [owner, other, last] = [
    await makePlace('Administrator'),
    await makePlace('Administrator'),
    await makePlace('Administrator'),
  ]
  const studyUid = newUid()
  await arrive(owner, { studyUid, series: 1, number: 1, ...anna })
  await quiet()
  const uuid = (await received(owner, studyUid))?.uuid ?? ''
  await share(owner.sid, { uuid, group_id: other.group.groupUuid })
  const theirs = (await received(other, studyUid))?.uuid ?? ''
  const rule = await makeRule(other, last, { on_share: 1 })
  const takeBack = async () => {
    expect(await ask('study/retract', { sid: owner.sid, uuid, reason: 'Another patient' })).toMatchObject(done)
    await takeWork('write-metadata')
    await takeWork('look-at-rules')
  }
  const bring = async (sid: string, one: string) =>
    expect(await ask('study/revive', { sid, uuid: one })).toMatchObject(done)

  await takeBack()
  const hook = await makeHook()
  await bring(owner.sid, uuid)
  expect(await hooked(hook)).toEqual([uuid, theirs].toSorted())
  expect((await takeWork('write-metadata')).map((one) => one.studyUuid).toSorted()).toEqual([uuid, theirs].toSorted())
  expect(await runRules()).toEqual([[theirs, 'share']])
  expect(await ruled(rule)).toEqual([theirs])

  await call('study/delete', { sid: other.sid, uuid: theirs })
  await bring(other.sid, theirs)
  expect(await hooked(hook)).toHaveLength(3)
  expect((await takeWork('write-metadata')).map((one) => one.studyUuid)).toEqual([theirs])
  expect(await runRules()).toEqual([[theirs, 'share']])
  // a rule acts once on an exam
  expect(await ruled(rule)).toEqual([theirs])
  await call('webhook/delete', { sid: admin.sid, uuid: hook })
})
