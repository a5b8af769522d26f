import { expect, test } from 'vitest'
import { makeNameless } from '../../../test/make-nameless.ts'
import { done, makeSharing } from '../../../test/make-sharing.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { purge } from '../../areas/retention/purge.job.ts'

/* Copies without names, and copies that were kept, of an exam that is taken back from where recipients have it. */

const { services, call, query } = await startTestApp()
const { accountUuid, makePlace, share, stop, received } = await makeSharing({ services, call })
const { send, make, run, giveUp, copies, storeWith } = makeNameless({ services, call, query, accountUuid, received })
type Place = Awaited<ReturnType<typeof makePlace>>

const makePlaces = () => Promise.all([makePlace(), makePlace(), makePlace()])
const reason = 'Consent withdrawn'
const retract = async (place: Place, uuid: string) =>
  (await call('study/retract', { sid: place.sid, uuid, reason })).body
/** Restores an exam; the access that comes back is counted in shares-into-newer.db.test.ts. */
const revive = async (place: Place, uuid: string) => {
  const { body } = await call('study/revive', { sid: place.sid, uuid })
  delete body.access
  return body
}
const give = async (from: Place, to: Place, studyUid: string): Promise<string> => {
  const uuid = (await received(from, studyUid))?.uuid
  expect(await share(from.sid, { uuid, group_id: to.group.groupUuid })).toEqual(done)
  return (await received(to, studyUid))?.uuid ?? ''
}
const take = async (from: Place, to: Place, studyUid: string) =>
  expect(await stop(from.sid, { uuid: (await received(from, studyUid))?.uuid, group_id: to.group.groupUuid })).toEqual(
    done,
  )
/** Makes a copy without names, and gives its UID. */
async function copy(place: Place, uuid: string, recipient = 'Trial A'): Promise<string> {
  const made = await make(place, uuid, { recipient })
  expect(made).toMatchObject({ status: 'OK' })
  await run(made.uuid)
  return (await copies(place, uuid)).find((one) => one.state === 'made')?.copy_study_uid ?? ''
}
const seenBy = (places: readonly Place[], studyUid: string) =>
  Promise.all(places.map(async (place) => (await received(place, studyUid)) !== undefined))
const inBinOf = async ({ sid }: Place) =>
  ((await call('study/list', { sid, 'filter.is_deleted.equals': 1 })).body.studies as { study_uid: string }[]).map(
    (one) => one.study_uid,
  )

test('[SHARE-01] taking an exam back everywhere reaches a copy without names that a recipient made, and where it went', async () => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  const theirs = await give(owner, recipient, studyUid)
  const copyUid = await copy(recipient, theirs)
  const lasts = await give(recipient, last, copyUid)
  const theirCopy = (await received(recipient, copyUid))?.uuid ?? ''

  expect(await retract(owner, uuid)).toEqual({ status: 'OK', copies: 1, places: 3 })
  expect(await seenBy([owner, recipient], studyUid)).toEqual([false, false])
  expect(await seenBy([recipient, last], copyUid)).toEqual([false, false])
  // who made the copy cannot show it again
  expect([await inBinOf(recipient), await inBinOf(last)]).toEqual([[], []])
  for (const [place, one] of [
    [recipient, theirCopy],
    [last, lasts],
  ] as const)
    expect(await revive(place, one)).toMatchObject({ error_type: 'NOT_FOUND' })
  const onRecord = await query(
    `select from audit where action = 'RETRACT' and object_uuid in ('${theirCopy}', '${lasts}')`,
  )
  expect(onRecord).toHaveLength(2)
  const told = await query(`select from event where kind = 'retracted' and uuid in ('${theirCopy}', '${lasts}')`)
  expect(told).toHaveLength(2)

  expect(await revive(owner, uuid)).toEqual(done)
  expect(await seenBy([owner, recipient], studyUid)).toEqual([true, true])
  expect(await seenBy([recipient, last], copyUid)).toEqual([true, true])
  expect(await received(last, copyUid)).toMatchObject({ uuid: lasts, image_count: 2 })
})

test('reaches a copy without names whose maker has lost the exam itself, and one that is in the bin', async () => {
  const [owner, recipient, other] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  const copyUid = await copy(recipient, await give(owner, recipient, studyUid))
  await take(owner, recipient, studyUid)
  const deletedUid = await copy(other, await give(owner, other, studyUid))
  const deleted = (await received(other, deletedUid))?.uuid ?? ''
  expect((await call('study/delete', { sid: other.sid, uuid: deleted })).body).toEqual(done)
  expect(await seenBy([recipient], copyUid)).toEqual([true])

  expect(await retract(owner, uuid)).toMatchObject({ status: 'OK', copies: 2 })
  expect(await seenBy([recipient, other], copyUid)).toEqual([false, false])
  expect(await revive(other, deleted)).toMatchObject({ error_type: 'NOT_FOUND' })
  // shown again by nobody, it is back in the bin
  expect(await revive(owner, uuid)).toEqual(done)
  expect(await seenBy([recipient], copyUid)).toEqual([true])
  expect(await inBinOf(other)).toEqual([deletedUid])
})

test('reaches a copy of passed on images, and takes one with images of another way as a whole; others stay', async () => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  await send(last, { series: 2 }, 2, studyUid)
  // made before the images came
  const own = (await received(last, studyUid))?.uuid ?? ''
  const before = await copy(last, own, 'Trial B')
  await give(owner, recipient, studyUid)
  expect(await give(recipient, last, studyUid)).toBe(own)
  const copyUid = await copy(last, own)
  expect(await received(last, copyUid)).toMatchObject({ image_count: 4 })

  expect(await retract(owner, uuid)).toMatchObject({ status: 'OK', copies: 1 })
  expect(await received(last, studyUid)).toMatchObject({ image_count: 2 })
  expect([await seenBy([last], copyUid), await seenBy([last], before)]).toEqual([[false], [true]])
})

test('reaches what a recipient made of a copy without names, with that copy, and by the exam itself', async () => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  const first = await copy(owner, uuid)
  const second = await copy(recipient, await give(owner, recipient, first), 'Trial B')
  await give(recipient, last, second)
  const firstUuid = (await received(owner, first))?.uuid ?? ''

  expect(await retract(owner, firstUuid)).toMatchObject({ status: 'OK', copies: 1, places: 3 })
  expect(await seenBy([owner, recipient, last], second)).toEqual([false, false, false])
  expect(await seenBy([owner], studyUid)).toEqual([true])
  expect(await revive(owner, firstUuid)).toEqual(done)
  expect(await seenBy([recipient, last], second)).toEqual([true, true])

  expect(await retract(owner, uuid)).toMatchObject({ status: 'OK', copies: 2 })
  expect(await seenBy([recipient, last], second)).toEqual([false, false])
  // each copy of the owner's is shown again by its own, with what was made of it
  expect(await revive(owner, uuid)).toEqual(done)
  expect(await seenBy([recipient, last], second)).toEqual([false, false])
  expect(await revive(owner, firstUuid)).toEqual(done)
  expect(await seenBy([recipient, last], second)).toEqual([true, true])
})

test('reaches a copy that somebody kept of what was passed on, after the share between has ended', async () => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  await give(owner, recipient, studyUid)
  const lasts = await give(recipient, last, studyUid)
  const sent = { sid: last.sid, uuid: lasts, namespace_id: last.group.namespaceUuid }
  await query(`update study set arrival = 'complete' where uuid = '${lasts}'`)
  expect((await call('study/duplicate', sent)).body).toEqual(done)
  await take(owner, recipient, studyUid)
  expect(await seenBy([recipient, last], studyUid)).toEqual([false, true])

  expect(await retract(owner, uuid)).toMatchObject({ status: 'OK', places: 1 })
  expect(await seenBy([last], studyUid)).toEqual([false])
})

test.each([
  ['before its first image is stored', 0],
  ['when half of it is stored', 2],
])('ends a copy without names that a recipient has made, %s, and nobody there shows it', async (_when, stored) => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner, {}, 4)
  const theirs = await give(owner, recipient, studyUid)
  const made = await make(recipient, theirs)
  const copyUid = (await copies(recipient, theirs))[0]?.copy_study_uid ?? ''
  const images = async () =>
    (
      await query(
        `select from instance where study_key in (select key from stored_study where study_uid = '${copyUid}')`,
      )
    ).length
  const store = storeWith(async () => {
    if ((await images()) < stored) return false
    // shared with others while it is made, as far as it stands
    if (stored > 0) await give(recipient, last, copyUid)
    return expect(await retract(owner, uuid)).toMatchObject({ status: 'OK' })
  })
  await expect(run(made.uuid, store)).rejects.toThrow('The exam was taken back')
  // the image at hand may still be stored, and none after it
  expect(await images()).toBeLessThanOrEqual(stored + 1)
  await expect(run(made.uuid)).rejects.toThrow('The exam was taken back')
  await giveUp(made.uuid)

  expect(await seenBy([recipient, last], copyUid)).toEqual([false, false])
  expect([await inBinOf(recipient), await inBinOf(last)]).toEqual([[], []])
  const halves = await query<{ uuid: string }>(`select uuid from study where study_uid = '${copyUid}'`)
  expect(halves.length).toBeGreaterThan(0)
  for (const half of halves) expect(await revive(recipient, half.uuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  // half of a copy is shown to nobody when the exam is there again
  expect(await revive(owner, uuid)).toEqual(done)
  expect(await seenBy([recipient], studyUid)).toEqual([true])
  expect(await seenBy([recipient, last], copyUid)).toEqual([false, false])
})

test('says nothing of the reason, the person or the exam to those who have a copy without names of it', async () => {
  const [owner, recipient, last] = [await makePlace(), await makePlace(), await makePlace('Administrator')]
  const { uuid, studyUid } = await send(owner)
  const theirs = await give(owner, recipient, studyUid)
  const theirCopy = await copy(recipient, theirs)
  await give(recipient, last, theirCopy)
  const ownCopy = await copy(owner, uuid, 'Trial B')
  await give(owner, last, ownCopy)
  const uids = [theirCopy, ownCopy]
  const copied = await query<{ uuid: string; phi_namespace: string; study_uid: string }>(
    `select uuid, phi_namespace, study_uid from study where study_uid in ('${theirCopy}', '${ownCopy}')`,
  )
  expect(copied).toHaveLength(4)
  expect(await retract(owner, uuid)).toMatchObject({ status: 'OK', copies: 2 })
  // what came again tells of the retraction, too
  await send(last, {}, 1, theirCopy)
  const told: unknown[] = [
    await received(last, theirCopy),
    ...(await Promise.all(
      [recipient, last].map(
        async ({ sid, group }) =>
          (
            await call('study/upload/retracted', { sid, namespace_id: group.namespaceUuid, study_uids: uids })
          ).body.studies,
      ),
    )),
  ]
  expect(told).toMatchObject([{ retraction: { reason: '', by_name: '' } }, [{ reason: '' }], [{}, {}]])
  expect(await revive(owner, uuid)).toEqual(done)
  const acts = await query<{ object_uuid: string; actor_name: string }>(
    `select object_uuid, actor_name, actor, detail, client_address from audit where action in ('RETRACT', 'REVIVE')
      and object_uuid in (${copied.map((one) => `'${one.uuid}'`).join()})`,
  )
  expect(new Set(acts.map((one) => one.object_uuid)).size).toBe(4)
  const ownUuid = copied.find((one) => one.phi_namespace === owner.group.namespaceUuid)?.uuid
  const text = JSON.stringify([told, acts.filter((one) => one.object_uuid !== ownUuid)])
  const [act] = await query<{ uuid: string }>(`select uuid from retraction where study_uuid = '${uuid}'`)
  for (const word of [reason, owner.person.name, owner.person.userUuid, uuid, act?.uuid ?? ''])
    expect(text).not.toContain(word)
  expect(JSON.stringify(acts)).not.toContain(reason)
  // those who have the exam itself are told
  const [open] = await query<{ detail: object }>(
    `select detail from audit where action = 'RETRACT' and object_uuid = '${theirs}'`,
  )
  expect(open?.detail).toMatchObject({ reason, from: uuid })
})

test('a copy that its maker took back before the exam was taken back is shown by nobody until both are shown again', async () => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  const copyUid = await copy(recipient, await give(owner, recipient, studyUid))
  const theirCopy = (await received(recipient, copyUid))?.uuid ?? ''
  await give(recipient, last, copyUid)
  const seen = () => seenBy([recipient, last], copyUid)

  expect(await retract(recipient, theirCopy)).toMatchObject({ status: 'OK' })
  expect(await inBinOf(recipient)).toEqual([copyUid])
  expect(await retract(owner, uuid)).toMatchObject({ status: 'OK', copies: 1 })
  expect(await inBinOf(recipient)).toEqual([])
  expect(await revive(recipient, theirCopy)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await revive(owner, uuid)).toEqual(done)
  // as its maker left it
  expect(await seen()).toEqual([false, false])
  expect(await revive(recipient, theirCopy)).toEqual(done)
  expect(await seen()).toEqual([true, true])
})

test.each([
  ['the first', [0, 1]],
  ['the last', [1, 0]],
] as const)(
  'a copy of the images of two owners, both of whom took back, stays hidden when %s of them shows again',
  async (_who, order) => {
    const [owner, other, recipient] = await makePlaces()
    const { uuid, studyUid } = await send(owner)
    const others = (await send(other, { series: 2 }, 2, studyUid)).uuid
    for (const place of [owner, other]) await give(place, recipient, studyUid)
    const copyUid = await copy(recipient, (await received(recipient, studyUid))?.uuid ?? '')
    expect(await received(recipient, copyUid)).toMatchObject({ image_count: 4 })
    const kept = await received(recipient, studyUid)
    expect(kept).toMatchObject({ image_count: 4 })
    const takers = [
      [owner, uuid],
      [other, others],
    ] as const
    for (const [place, one] of takers) expect(await retract(place, one)).toMatchObject({ status: 'OK', copies: 1 })
    const seen = []
    for (const at of order) {
      expect(await revive(...takers[at])).toEqual(done)
      seen.push((await seenBy([recipient], copyUid))[0])
    }
    expect(seen).toEqual([false, true])
  },
)

test('half of a copy of the images of two owners is shown by nobody, though both took back while it was made and show again', async () => {
  const [owner, other, recipient] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  const others = (await send(other, { series: 2 }, 2, studyUid)).uuid
  for (const place of [owner, other]) await give(place, recipient, studyUid)
  const theirs = (await received(recipient, studyUid))?.uuid ?? ''
  const made = await make(recipient, theirs)
  const copyUid = (await copies(recipient, theirs))[0]?.copy_study_uid ?? ''
  const takers = [
    [owner, uuid],
    [other, others],
  ] as const
  const store = storeWith(async () => {
    if (!(await received(recipient, copyUid))) return false
    for (const [place, one] of takers) expect(await retract(place, one)).toMatchObject({ status: 'OK' })
    return true
  })
  await expect(run(made.uuid, store)).rejects.toThrow('The exam was taken back')
  await giveUp(made.uuid)
  const halves = await query(`select from study where study_uid = '${copyUid}'`)
  expect(halves.length).toBeGreaterThan(0)
  for (const taken of takers) {
    expect(await revive(...taken)).toEqual(done)
    expect(await seenBy([recipient], copyUid)).toEqual([false])
  }
})

test('whoever was told that a copy was taken back is not told again by another taking back', async () => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  const copyUid = await copy(recipient, await give(owner, recipient, studyUid))
  const lasts = await give(recipient, last, copyUid)
  const told = () => query(`select from event where kind = 'retracted' and uuid = '${lasts}'`)
  expect(await retract(recipient, (await received(recipient, copyUid))?.uuid ?? '')).toMatchObject({ status: 'OK' })
  expect(await told()).toHaveLength(1)
  expect(await retract(owner, uuid)).toMatchObject({ status: 'OK' })
  expect(await told()).toHaveLength(1)
})

const storesCopy = async (place: Place, uuid: string) => {
  const sent = { sid: place.sid, uuid, namespace_id: place.group.namespaceUuid }
  expect((await call('study/duplicate', sent)).body).toEqual(done)
}

test.each([
  ['by the share', async () => undefined],
  ['as a copy that was kept', storesCopy],
] as const)(
  'reaches a copy without names that its maker deleted and the purge removed where it went, %s',
  async (_how, keep) => {
    const [owner, recipient, last] = await makePlaces()
    const { uuid, studyUid } = await send(owner)
    const copyUid = await copy(recipient, await give(owner, recipient, studyUid))
    const theirCopy = (await received(recipient, copyUid))?.uuid ?? ''
    const lasts = await give(recipient, last, copyUid)
    await keep(last, lasts)
    expect((await call('study/delete', { sid: recipient.sid, uuid: theirCopy })).body).toEqual(done)
    await query(`update study set deleted_at = now() - interval '31 days' where uuid = '${theirCopy}'`)
    await purge(services, new Date())
    expect(await query(`select from study where uuid = '${theirCopy}'`)).toEqual([])
    expect(await seenBy([last], copyUid)).toEqual([true])

    expect(await retract(owner, uuid)).toMatchObject({ status: 'OK', copies: 1, places: 2 })
    expect(await seenBy([last], copyUid)).toEqual([false])
    expect(await revive(last, lasts)).toMatchObject({ error_type: 'NOT_FOUND' })
    expect(await revive(owner, uuid)).toEqual(done)
    expect(await seenBy([last], copyUid)).toEqual([true])
  },
)

test('owners of exams and makers of copies of them who take back at once wait for each other', async () => {
  const [owner, recipient, last] = await makePlaces()
  const { uuid, studyUid } = await send(owner)
  const theirs = await give(owner, recipient, studyUid)
  const copyUids = [await copy(recipient, theirs), await copy(recipient, theirs, 'Trial B')]
  const copies = await Promise.all(copyUids.map(async (uid) => (await received(recipient, uid))?.uuid ?? ''))
  for (const uid of copyUids) await give(recipient, last, uid)
  for (const _round of [1, 2, 3]) {
    const acts = [retract(owner, uuid), ...copies.map((one) => retract(recipient, one))]
    const answers = (await Promise.all(acts)).map((one) => one.error_type ?? one.status)
    expect(answers[0]).toBe('OK')
    for (const answer of answers) expect(['OK', 'NOT_FOUND']).toContain(answer)
    expect(await seenBy([recipient, last], copyUids[0] ?? '')).toEqual([false, false])
    expect(await revive(owner, uuid)).toEqual(done)
    for (const one of copies) await revive(recipient, one)
    for (const uid of copyUids) expect(await seenBy([recipient, last], uid)).toEqual([true, true])
  }
})
