import { readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { objectPath } from '../../../test/object-path.ts'
import { startStorage } from '../../../test/storage-fixture.ts'
import { type StorageFault, verifyStorage } from './verify-storage.command.ts'

const storage = await startStorage()

async function verify(isQuick = false) {
  const faults: StorageFault[] = []
  const result = await verifyStorage(storage.services, {
    isQuick,
    now: new Date(),
    tell: (fault) => faults.push(fault),
  })
  const holders = new Map(faults.map(({ what, holders: said }) => [what, said]))
  return { ...result, faults: faults.map(({ kind, what }) => [kind, what]).sort(), holders }
}

test('an object that is purged while the command runs is no fault', async () => {
  const member = await storage.addMember(['study_upload'])
  await uploadImage(storage, member, madeImage({ studyUid: newUid(), number: 1 }))
  for (const table of ['instance', 'series', 'stored_study', 'study']) await storage.query(`delete from ${table}`)
  // other tests leave faults behind
  const known = new Set((await verify()).faults.map(([, what]) => what))
  const { db, store } = storage.services
  const size = async (key: string) => {
    // the purge comes between the list and the look
    await storage.query(`update blob set state = 'doomed'`)
    await store.remove(key)
    return store.size(key)
  }
  const faults: StorageFault[] = []
  const tell = (fault: StorageFault) => void (known.has(fault.what) || faults.push(fault))
  await verifyStorage({ db, store: { ...store, size } }, { isQuick: false, now: new Date(), tell })
  expect(faults).toEqual([])
})

test('what is missing, cut, changed or forgotten is found and named; what is well is not', async () => {
  const member = await storage.addMember(['study_upload'])
  const studyUid = newUid()
  for (const number of [1, 2, 3, 4, 5]) await uploadImage(storage, member, madeImage({ studyUid, number }))
  expect(await verify()).toMatchObject({ objects: 5, faults: [] })
  // not those that the test before had purged
  const ready = `select object_key from blob where state = 'ready' order by object_key`
  const keys = (await storage.query<{ object_key: string }>(ready)).map((row) => row.object_key)
  const [missing = '', cut = '', changed = '', unlisted = ''] = keys
  const pathOf = (key: string) => objectPath(storage.services.config, key)
  await rm(pathOf(missing))
  await truncate(pathOf(cut), 100)
  const bytes = await readFile(pathOf(changed))
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  await writeFile(pathOf(changed), bytes)
  await storage.query(`update stored_study set image_count = 9`)
  await storage.query(`delete from blob where object_key = '${unlisted}'`)
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  await utimes(pathOf(unlisted), twoDaysAgo, twoDaysAgo)
  let found = await verify()
  expect(found.objects).toBe(4)
  expect(found.faults).toEqual([
    ['file that nothing refers to', unlisted],
    ['image without bytes', expect.stringContaining(member.namespace)],
    ['object cut short', cut],
    ['object missing', missing],
    ['object with other bytes', changed],
    ['study with a wrong count', `${member.namespace} ${studyUid}`],
  ])
  const [record] = await storage.query<{ uuid: string; patientid: string }>(
    `update study set study_date = '20260301', accession_number = 'A-7' where study_uid = '${studyUid}' returning uuid, patientid`,
  )
  found = await verify()
  const [place] = await storage.query<{ name: string }>(`select name from namespace where uuid = '${member.namespace}'`)
  // by what people know the exam by: no screen shows its uuid
  const words = `Made Up, MRN ${record?.patientid}, 20260301, accession A-7`
  const where = `study ${studyUid} in ${place?.name}, record ${record?.uuid} (${words})`
  expect(found.holders.get(missing)).toEqual([expect.stringMatching(/^image [\d.]+ of study /)])
  for (const what of [missing, cut, changed]) expect(found.holders.get(what)?.[0]).toContain(where)
  expect(found.holders.get(`${member.namespace} ${studyUid}`)).toEqual([where])
  expect((await verify(true)).faults.map(([kind]) => kind)).not.toContain('object with other bytes')
})
