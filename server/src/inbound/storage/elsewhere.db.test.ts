import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { startDicomweb, valueOf } from '../../../test/dicomweb-fixture.ts'
import { madeImage } from '../../../test/made-image.ts'

const dicomweb = await startDicomweb()

it('tells a sender, by upload or STOW, that the SOP UID stands in another study too, and stores the image', async () => {
  const member = await dicomweb.addMember(['study_upload', 'study_view'])
  const [first, second, third] = [newUid(), newUid(), newUid()]
  const sop = [{ tag: Tag.SOPInstanceUID, vr: 'UI', value: `${first}.1.1` }] as const
  const send = async (bytes: Uint8Array) => {
    const address = `${dicomweb.base}/namespace/${member.namespace}/image?sid=${member.sid}`
    const reply = await fetch(address, { method: 'POST', body: new Uint8Array(bytes) })
    return { status: reply.status, body: await reply.json() }
  }
  const alone = await send(madeImage({ studyUid: first, number: 1 }))
  expect(alone.body).not.toHaveProperty('elsewhere')
  const again = await send(madeImage({ studyUid: second, number: 1, more: sop }))
  expect(again).toMatchObject({ status: 202, body: { outcome: 'stored', elsewhere: [first] } })
  const { status, json } = await dicomweb.stow(member, [
    madeImage({ studyUid: third, number: 1, more: sop }),
    madeImage({ studyUid: third, number: 2 }),
  ])
  expect(status).toBe(202)
  const stored = json['00081199']?.Value as (typeof json)[]
  expect(stored.map((one) => valueOf(one, '00081196'))).toEqual([0xb000, undefined])
  expect(valueOf(stored[0], '00000902')).toBe('Another study here has an instance of the same name')
})
