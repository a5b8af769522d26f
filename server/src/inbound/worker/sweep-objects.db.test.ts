import { utimes } from 'node:fs/promises'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { objectPath } from '../../../test/object-path.ts'
import { startStorage } from '../../../test/storage-fixture.ts'
import { startRunner } from './run-work.ts'
import { makeJob } from '../../areas/job.ts'
import { declaredJobs } from '../../areas/job/declared-jobs.ts'
import { enqueue } from '../../areas/job/enqueue.command.ts'
import { sweepOrphans } from '../../areas/retention/sweep-objects.job.ts'

const storage = await startStorage()
const { services } = storage

test('orphans go in as many runs as it takes, and what is listed stays', async () => {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const studyUid = newUid()
  for (const number of [1, 2, 3]) await uploadImage(storage, member, madeImage({ studyUid, number }))
  const listed = await storage.query<{ object_key: string }>('select distinct object_key from blob')
  const orphans: string[] = []
  for (const folder of ['0/first', 'middle/of/it', 'zz/last']) {
    const writer = await services.store.begin(folder)
    await writer.write([Buffer.from('never listed')])
    await writer.end()
    orphans.push(writer.key)
  }
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  const keys = [...orphans, ...listed.map((row) => row.object_key)]
  for (const key of keys) await utimes(objectPath(services.config, key), twoDaysAgo, twoDaysAgo)

  const job = makeJob(declaredJobs.sweepOrphans, { run: (_, payload) => sweepOrphans(services, payload, { most: 2 }) })
  const runner = await startRunner(services, [job], { pollMs: 50 })
  await enqueue(services.db, declaredJobs.sweepOrphans, {})
  const left = async () => {
    const sizes = await Promise.all(keys.map((key) => services.store.size(key).catch(() => 'gone')))
    return keys.filter((_, index) => sizes[index] !== 'gone')
  }
  await expect.poll(left, { timeout: 60_000 }).toEqual(listed.map((row) => row.object_key))
  await runner.stop()
})
