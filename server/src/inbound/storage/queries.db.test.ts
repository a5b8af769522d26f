import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()

test('a parameter that is sent twice is a list, of sids the first counts, and no answer is guessed at by a browser', async () => {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const studyUid = newUid()
  for (const series of [1, 2, 3]) await uploadImage(storage, member, madeImage({ studyUid, number: 1, series }))
  const wanted = [`${studyUid}.1`, `${studyUid}.3`]
  const query = wanted.map((uid) => `series_uid=${uid}`).join('&')
  const study = `${storage.base}/study/${member.namespace}/${studyUid}`
  const reply = await fetch(`${study}/json?sid=${member.sid}&sid=other&${query}`)
  expect([reply.status, reply.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
  const images = (await reply.json()) as { series_uid: string }[]
  expect(images.map((one) => one.series_uid)).toEqual(wanted)
  const refused = await fetch(`${study}/schema?sid=${member.sid}&phi_namespace=a&phi_namespace=b`)
  expect(refused.status).toBe(403)
})

test('an address that is none, and one that no database holds, are answered in the envelope of this API', async () => {
  const member = await storage.addMember(['study_upload', 'study_view', 'study_delete_image'])
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
  const study = `${storage.base}/study/${member.namespace}/${studyUid}`
  const ask = async (method: string, address: string, body?: string) => {
    const reply = await fetch(`${address}${address.includes('?') ? '&' : '?'}sid=${member.sid}`, {
      method,
      ...(body === undefined ? {} : { body }),
    })
    const { kind } = (await reply.json()) as { kind?: { readable_status: string } }
    return [reply.status, kind?.readable_status]
  }
  expect(await ask('GET', `${storage.base}/nothing`)).toEqual([404, 'NOT_FOUND'])
  expect(await ask('POST', `${study}/split`)).toEqual([404, 'NOT_FOUND'])
  expect(await ask('PUT', `${study}/schema`)).toEqual([404, 'NOT_FOUND'])
  expect(await ask('GET', `${study}%00/schema`)).toEqual([400, 'BAD_REQUEST'])
  expect(await ask('GET', `${study}/json?series_uid=1%00`)).toEqual([400, 'BAD_REQUEST'])
  expect(await ask('DELETE', `${study}/images`, '1.2,1\0')).toEqual([400, 'BAD_REQUEST'])
})
