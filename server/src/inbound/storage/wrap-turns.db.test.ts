import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()

async function wrap(member: Member, picture: Uint8Array): Promise<number> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(picture)]), 'picture.png')
  form.append('tags', JSON.stringify({ patient_name: 'In^Turn', StudyInstanceUID: newUid() }))
  const reply = await fetch(`${storage.base}/namespace/${member.namespace}/wrap?sid=${member.sid}`, {
    method: 'POST',
    body: form,
    headers: { 'x-file-size': String(picture.length) },
  })
  await reply.text()
  return reply.status
}

function grey(edge: number): Promise<Buffer> {
  const shape = { width: edge, height: edge, channels: 3, background: '#777777' } as const
  return sharp({ create: shape }).toColourspace('b-w').png().toBuffer()
}

test('large pictures of one person are opened one after the other, and keep nobody else waiting', async () => {
  const [many, one] = [await storage.addMember(['study_upload']), await storage.addMember(['study_upload'])]
  // two of them are more than may be open at once
  const large = await grey(5_200)
  const small = await grey(64)
  let finished = 0
  const statuses = Array.from({ length: 8 }, async () => {
    const status = await wrap(many, large)
    finished += 1
    return status
  })
  expect(await wrap(one, small)).toBe(202)
  expect(finished).toBeLessThan(8)
  expect(await Promise.all(statuses)).toEqual(Array.from({ length: 8 }, () => 202))
})

test('a picture that claims more pixels than may be opened is refused before it is', async () => {
  const member = await storage.addMember(['study_upload'])
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const claim = Buffer.from('0000ffff0000ffff0802000000', 'hex')
  const png = await grey(64)
  const bomb = Buffer.concat([header, claim, png.subarray(header.length + claim.length)])
  const status = await wrap(member, bomb)
  expect([412, 413]).toContain(status)
})
