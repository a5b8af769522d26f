import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()

/** A place that was deleted after its member was let in. */
async function makeGone() {
  const member = await storage.addMember(['study_upload', 'study_view'])
  await storage.query(`update namespace set gone_at = now() where uuid = '${member.namespace}'`)
  return member
}

test('an image that comes while its place is deleted is refused in words, and others that come with it are not', async () => {
  const [gone, there] = [await makeGone(), await storage.addMember(['study_upload', 'study_view'])]
  const send = (member: typeof gone) => uploadImage(storage, member, madeImage({ studyUid: newUid(), number: 1 }))
  const answers = await Promise.all([send(gone), send(there), send(gone), send(there)])
  expect(answers.map(({ status }) => status)).toEqual([404, 202, 404, 202])
  expect(answers[0]?.body).toMatchObject({
    kind: { readable_status: 'NOT_FOUND' },
    message: 'The place that the image came for was deleted meanwhile',
  })
  expect(await storage.query(`select from study where phi_namespace = '${gone.namespace}'`)).toEqual([])
})

test('by STOW as well, with a reason for the object', async () => {
  const gone = await makeGone()
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Type: application/dicom\r\n\r\n'),
    madeImage({ studyUid: newUid(), number: 1 }),
    Buffer.from('\r\n--b--\r\n'),
  ])
  const address = new URL(`/dicomweb/${gone.namespace}/studies?sid=${gone.sid}`, storage.base)
  const headers = { 'content-type': 'multipart/related; type="application/dicom"; boundary=b' }
  const reply = await fetch(address, { method: 'POST', headers, body })
  expect(reply.status).toBe(409)
  expect(await reply.text()).toContain('00081197')
})
