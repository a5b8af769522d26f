import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, afterEach, expect, test } from 'vitest'
import sharp from 'sharp'
import { type Json, startDicomweb, valueOf } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'
import { storeReports } from '../../areas/order/attach-reports.command.ts'

const storage = await startDicomweb()
const all = ['study_upload', 'study_view', 'study_report_upload', 'study_report_view'] as const
const EVIL = 'X5O!P%@AP[4-made-up-test-signature'

/** A scanner that speaks clamd's INSTREAM and knows one signature. */
const received: Buffer[] = []
const clamd = createServer({ allowHalfOpen: true }, (socket) => void scan(socket))
await new Promise<void>((resolve) => clamd.listen(0, '127.0.0.1', resolve))
const { port } = clamd.address() as AddressInfo
afterAll(() => clamd.close())
afterEach(() => {
  storage.services.config.clamd = undefined
})
const maxBytes = 300_000

async function scan(socket: Socket): Promise<void> {
  socket.on('error', () => socket.destroy())
  let buffer = Buffer.alloc(0)
  let file = Buffer.alloc(0)
  let isOver = false
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    // bytes behind an early answer are read and dropped, as a network would carry them
    if (isOver) continue
    buffer = Buffer.concat([buffer, chunk])
    if (buffer.toString('latin1', 0, 10) === 'zINSTREAM\0') buffer = buffer.subarray(10)
    while (buffer.length >= 4 && buffer.length >= 4 + buffer.readUInt32BE(0)) {
      const length = buffer.readUInt32BE(0)
      if (length === 0) {
        received.push(file)
        return void socket.end(`stream: ${file.includes(EVIL) ? 'Made.Up.Test FOUND' : 'OK'}\0`)
      }
      file = Buffer.concat([file, buffer.subarray(4, 4 + length)])
      buffer = buffer.subarray(4 + length)
      if (file.length > maxBytes) {
        isOver = true
        socket.end('INSTREAM size limit exceeded. ERROR\0')
        break
      }
    }
  }
}

async function listObjects(member: Member): Promise<string[]> {
  const folder = join(storage.folder, 'objects', member.account)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const evilImage = (studyUid: string) =>
  madeImage({ studyUid, number: 1, more: [{ tag: 0x00104000, vr: 'LT', value: EVIL }] })

test('without a scanner nothing is asked', async () => {
  const member = await storage.addMember(all)
  const before = received.length
  expect((await uploadImage(storage, member, evilImage(newUid()))).status).toBe(202)
  expect(received).toHaveLength(before)
})

test('a clean image is taken after the scanner has seen every byte of it', async () => {
  storage.services.config.clamd = `127.0.0.1:${port}`
  const member = await storage.addMember(all)
  const bytes = madeImage({ studyUid: newUid(), number: 1, frames: 500 })
  expect((await uploadImage(storage, member, bytes)).status).toBe(202)
  expect(received.at(-1)?.equals(bytes)).toBe(true)
})

test('an image or attachment in which something is found is refused, and nothing of it is kept', async () => {
  const member = await storage.addMember(all)
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 7 }))
  storage.services.config.clamd = `127.0.0.1:${port}`
  const { status, body } = await uploadImage(storage, member, evilImage(studyUid))
  expect([status, body.kind]).toEqual([403, { code: 21, readable_status: 'VIRUS_DETECTED' }])
  const form = new FormData()
  form.append('data', new Blob([`letter ${EVIL}`]), 'letter.txt')
  const address = `${storage.base}/study/${member.namespace}/${studyUid}/attachment?sid=${member.sid}`
  const attached = await fetch(address, { method: 'POST', body: form })
  expect([attached.status, ((await attached.json()) as typeof body).kind?.readable_status]).toEqual([
    403,
    'VIRUS_DETECTED',
  ])
  expect(await listObjects(member)).toHaveLength(1)
  expect(await storage.query(`select from instance where storage_namespace = '${member.namespace}'`)).toHaveLength(1)
  expect(await storage.query(`select from attachment where phi_namespace = '${member.namespace}'`)).toEqual([])
})

test('a report by HL7 in which something is found is refused, and nothing of it is kept', async () => {
  const member = await storage.addMember(all)
  storage.services.config.clamd = `127.0.0.1:${port}`
  const place = { namespaceUuid: member.namespace, accountUuid: member.account, ownNames: [], senders: null }
  const reportWith = (text: string) => ({
    number: 'R-1',
    order_numbers: ['R-1'],
    status: 'final' as const,
    documents: [
      { ending: 'txt' as const, bytes: Buffer.from('Nothing in here') },
      { ending: 'pdf' as const, bytes: Buffer.from(`%PDF-1.4 ${text}`) },
    ],
  })
  const stored = await storeReports(storage.services, place, [reportWith('')])
  await Promise.all(stored.flatMap((one) => one.stored.map(({ body }) => body.discard())))
  await expect(storeReports(storage.services, place, [reportWith(EVIL)])).rejects.toMatchObject({
    code: 'VIRUS_DETECTED',
  })
  expect(await listObjects(member)).toEqual([])
})

test('a file that becomes an image is refused by what it holds itself, which the image would not hold', async () => {
  const member = await storage.addMember(all)
  storage.services.config.clamd = `127.0.0.1:${port}`
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })
    .png()
    .withExif({ IFD0: { ImageDescription: EVIL } })
    .toBuffer()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(picture)]), 'photo.png')
  const address = `${storage.base}/namespace/${member.namespace}/wrap?sid=${member.sid}`
  const reply = await fetch(address, {
    method: 'POST',
    body: form,
    headers: { 'x-file-size': String(picture.length) },
  })
  expect([reply.status, await reply.json()]).toEqual([
    403,
    expect.objectContaining({ kind: { code: 21, readable_status: 'VIRUS_DETECTED' } }),
  ])
  expect(await listObjects(member)).toEqual([])
})

test('an upload in chunks is refused when the whole of them holds something', async () => {
  const member = await storage.addMember(all)
  storage.services.config.clamd = `127.0.0.1:${port}`
  const bytes = evilImage(newUid())
  const at = `${storage.base}/multipart`
  const { upload_uuid: upload } = (await (await fetch(`${at}/initiate?sid=${member.sid}`)).json()) as {
    upload_uuid: string
  }
  const middle = Buffer.from(bytes).indexOf(EVIL) + 5
  for (const [number, chunk] of [bytes.subarray(0, middle), bytes.subarray(middle)].entries()) {
    const headers = { 'x-file-name': `0000${number}`, 'x-ambrahealth-part-checksum': String(crc32(chunk)) }
    const kept = await fetch(`${at}/${upload}?sid=${member.sid}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(chunk),
    })
    expect(kept.status).toBe(202)
  }
  const whole = `${at}/${upload}/complete?namespace=${member.namespace}&endpoint=image&sid=${member.sid}`
  const reply = await fetch(whole, { method: 'POST' })
  expect([reply.status, await reply.json()]).toEqual([
    403,
    expect.objectContaining({ kind: { code: 21, readable_status: 'VIRUS_DETECTED' } }),
  ])
  expect(await listObjects(member)).toEqual([])
})

test('an instance in which something is found is not understood by DICOMweb, and its sibling is stored', async () => {
  const member = await storage.addMember(all)
  storage.services.config.clamd = `127.0.0.1:${port}`
  const { status, json } = await storage.stow(member, [
    evilImage(newUid()),
    madeImage({ studyUid: newUid(), number: 1 }),
  ])
  const failed = json['00081198']?.Value as Json[]
  expect([status, json['00081199']?.Value?.length, failed.length]).toEqual([202, 1, 1])
  expect([valueOf(failed[0], '00081197'), valueOf(failed[0], '00000902')]).toEqual([
    0xc000,
    'The virus scanner refused the file',
  ])
  expect(await listObjects(member)).toHaveLength(1)
})

test('what the scanner cannot judge is not taken, and the reason is said', async () => {
  const member = await storage.addMember(all)
  storage.services.config.clamd = `127.0.0.1:${port}`
  const large = madeImage({ studyUid: newUid(), number: 1, frames: 20_000 })
  const tooLarge = await uploadImage(storage, member, large)
  expect([tooLarge.status, tooLarge.body.kind?.readable_status]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect(tooLarge.body.message).toContain('virus scanner')
  storage.services.config.clamd = join(storage.folder, 'no-such-socket')
  const unreachable = await uploadImage(storage, member, madeImage({ studyUid: newUid(), number: 1 }))
  expect([unreachable.status, unreachable.body.kind?.readable_status]).toEqual([503, 'STORE_OPERATION_FAILED'])
  expect(unreachable.body.message).toBe('The virus scanner does not answer')
  expect(await listObjects(member)).toEqual([])
})
