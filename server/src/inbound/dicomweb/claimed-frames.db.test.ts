import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'

const server = await startDicomweb()
const rle = '1.2.840.10008.1.2.5'

/** An image of two frames that claims to have two thousand million. */
async function uploadBoaster(transferSyntax?: string) {
  const member = await server.addMember(['study_upload', 'study_view', 'study_download'])
  const studyUid = newUid()
  const claim = { tag: Tag.NumberOfFrames, vr: 'IS', value: '2000000000' }
  const pixels = { tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(2 * 16 * 16) }
  const syntax = transferSyntax === undefined ? {} : { transferSyntax }
  const image = madeImage({ studyUid, number: 1, more: [claim, pixels], ...syntax })
  expect(await uploadImage(server, member, image)).toMatchObject({ status: 202 })
  return { member, studyUid, address: `studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1` }
}

test('frames that are only claimed take no memory: all that there are leave as bulk data', async () => {
  const { member, address } = await uploadBoaster(rle)
  const reply = await server.ask(member, `${member.namespace}/${address}/bulkdata/7FE00010`, {
    headers: { accept: 'multipart/related; type="application/octet-stream"' },
  })
  expect(reply.status).toBe(200)
  expect((await partsOf(reply)).map((part) => part.body.length)).toEqual([256, 256])
})

test('frames that are only claimed end a download of pictures, and are named in it once', async () => {
  const { member, studyUid } = await uploadBoaster()
  const reply = await fetch(
    `${server.base}/study/${member.namespace}/${studyUid}/download?sid=${member.sid}&bundle=image`,
  )
  const archive = Buffer.from(await reply.arrayBuffer()).toString('latin1')
  const names = new Set(archive.match(/SER0001\/IMG0001_\d{5}\.jpg|ERROR\.txt/g))
  expect([...names]).toEqual(['SER0001/IMG0001_00000.jpg', 'SER0001/IMG0001_00001.jpg', 'ERROR.txt'])
})
