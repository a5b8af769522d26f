import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'

const server = await startDicomweb()
const member = await server.addMember(['study_upload', 'study_view'])

/** Every address of a picture of the one frame of an image. */
function pictureAddresses(studyUid: string): string[] {
  const instance = `${server.origin}/dicomweb/${member.namespace}/studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1`
  const image = `${server.base}/study/${member.namespace}/${studyUid}/image/${studyUid}.1.1/version/*`
  return [
    `${instance}/rendered?`,
    `${instance}/frames/1/rendered?`,
    `${instance}/thumbnail?`,
    `${instance}/frames/1/thumbnail?`,
    `${image}/frame/0?`,
    `${image}/frame/0/thumbnail?`,
    `${image}/frame/0/diagnostic?depth=8&`,
    `${image}/frame/0/tiff?`,
  ]
}

async function pictureAt(address: string) {
  const reply = await fetch(address, { headers: { authorization: `Bearer ${member.sid}`, accept: '*/*' } })
  expect(`${reply.status} ${address}`).toBe(`200 ${address}`)
  const { data, info } = await sharp(Buffer.from(await reply.arrayBuffer()))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { white: data.filter((value) => value > 250).length / data.length, ...info, etag: reply.headers.get('etag') }
}

test('overlays are drawn at every address, and left out where they are called off', async () => {
  const studyUid = newUid()
  const more = [
    { tag: Tag.PixelData, vr: 'OB', value: new Uint8Array(256).fill(40) },
    { tag: Tag.WindowCenter, vr: 'DS', value: '128' },
    { tag: Tag.WindowWidth, vr: 'DS', value: '256' },
    { tag: 0x60020010, vr: 'US', value: 8 },
    { tag: 0x60020011, vr: 'US', value: 16 },
    { tag: 0x60020040, vr: 'CS', value: 'G' },
    { tag: 0x60020050, vr: 'SS', value: [1, 1] },
    { tag: 0x60023000, vr: 'OW', value: new Uint8Array(16).fill(0xff) },
  ]
  await uploadImage(server, member, madeImage({ studyUid, number: 1, more }))
  for (const address of pictureAddresses(studyUid)) {
    const drawn = await pictureAt(address)
    expect([address, drawn.white]).toEqual([address, 0.5])
    for (const off of ['overlays=0', 'overlays=false']) {
      const plain = await pictureAt(address + off)
      expect([address, plain.white]).toEqual([address, 0])
      expect(plain.etag).not.toBe(drawn.etag)
    }
    expect((await pictureAt(`${address}overlays=true`)).white).toBe(0.5)
  }
})

test('pixels that are not square are drawn so that shapes are right, at every address', async () => {
  const studyUid = newUid()
  const more = [{ tag: 0x00280034, vr: 'IS', value: '1\\2' }]
  await uploadImage(server, member, madeImage({ studyUid, number: 1, more }))
  for (const address of pictureAddresses(studyUid)) {
    const { width, height } = await pictureAt(address)
    expect([address, width, height]).toEqual([address, 32, 16])
  }
  const [rendered = ''] = pictureAddresses(studyUid)
  expect(await pictureAt(`${rendered}viewport=8,16`)).toMatchObject({ width: 8, height: 4 })
})
