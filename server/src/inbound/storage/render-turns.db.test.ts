import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const FRAMES = 500

async function uploadedBy(frames: number): Promise<{ member: Member; image: string }> {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1, frames }))
  return { member, image: `${storage.base}/study/${member.namespace}/${studyUid}/image/${studyUid}.1.1/version/*` }
}

test('somebody who asks for five hundred thumbnails at once keeps no other waiting for one', async () => {
  const [many, one] = [await uploadedBy(FRAMES), await uploadedBy(1)]
  const ask = async ({ member, image }: typeof one, frame: number) => {
    const reply = await fetch(`${image}/frame/${frame}/thumbnail?sid=${member.sid}`)
    await reply.arrayBuffer()
    return reply.status
  }
  const asked = Array.from({ length: FRAMES }, (_, frame) => ask(many, frame))
  let finished = 0
  for (const answer of asked) void answer.then(() => (finished += 1))
  await asked[0]
  expect(await ask(one, 0)).toBe(200)
  expect(finished).toBeLessThan(asked.length)
  await Promise.all(asked)
})
