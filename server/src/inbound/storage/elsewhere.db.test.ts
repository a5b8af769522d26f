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
  const repeated = await send(madeImage({ studyUid: second, number: 1, more: sop }))
  expect(repeated.body).toMatchObject({ outcome: 'duplicate', elsewhere: [first, third].toSorted() })
})

it('tells of another study when the images of both arrive at the same time', async () => {
  const member = await dicomweb.addMember(['study_upload', 'study_view'])
  const { namespace, sid } = member
  const sopUid = newUid()
  const studies = [newUid(), newUid()]
  const replies = await Promise.all(
    studies.map(async (studyUid) => {
      const bytes = madeImage({ studyUid, number: 1, more: [{ tag: Tag.SOPInstanceUID, vr: 'UI', value: sopUid }] })
      const address = `${dicomweb.base}/namespace/${namespace}/image?sid=${sid}`
      const reply = await fetch(address, { method: 'POST', body: new Uint8Array(bytes) })
      return (await reply.json()) as { outcome: string; elsewhere?: string[] }
    }),
  )
  expect(replies.map((one) => one.outcome)).toEqual(['stored', 'stored'])
  const [ofFirst = [], ofSecond = []] = replies.map((one) => one.elsewhere)
  expect([...ofFirst, ...ofSecond]).not.toEqual([])
  expect([[], [studies[1]]]).toContainEqual(ofFirst)
  expect([[], [studies[0]]]).toContainEqual(ofSecond)
})
