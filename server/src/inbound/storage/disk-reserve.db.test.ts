import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { startDicomweb, valueOf, type Json } from '../../../test/dicomweb-fixture.ts'
import { createDiskSpace } from '../../outbound/storage/disk-space.ts'
import { createFileStore } from '../../outbound/storage/file-store.ts'
import { createFileUploadStore } from '../../outbound/storage/file-upload-store.ts'
import { join } from 'node:path'

const server = await startDicomweb()
const { services } = server
const member = await server.addMember(['study_upload', 'study_view', 'study_delete', 'study_report_upload'])
const studyUid = newUid()
const image = (number: number) => new Uint8Array(madeImage({ studyUid, number }))
let freeShare = 0.5
const measure = async () => ({ bsize: 1, blocks: 1e12, bavail: freeShare * 1e12, files: 0, ffree: 0 })
/** Looks anew each time: what it saw half a second ago is of no use here. */
const seen = () => createDiskSpace([services.config.dataFolder], measure)
const assertRoom = () => seen().assertRoom()
Object.assign(services, {
  store: createFileStore(join(services.config.dataFolder, 'objects'), assertRoom),
  uploads: createFileUploadStore(join(services.config.dataFolder, 'uploads'), assertRoom),
  disk: { assertRoom, look: () => seen().look() },
})

const send = (path: string, init: RequestInit) =>
  fetch(`${server.base}/${path}${path.includes('?') ? '&' : '?'}sid=${member.sid}`, init)
const post = (number: number) => send(`namespace/${member.namespace}/image`, { method: 'POST', body: image(number) })

it('below the reserve every upload is refused with the true reason, reading and deleting go on, and uploads come back', async () => {
  expect((await post(1)).status).toBe(202)
  freeShare = 0.001
  const refused = { image: await post(2), chunk: await sendChunk(), attachment: await attach() }
  for (const [door, reply] of Object.entries(refused)) {
    const body = (await reply.json()) as { kind: { readable_status: string }; message: string }
    expect([
      door,
      reply.status,
      body.kind.readable_status,
      body.message,
      Number(reply.headers.get('retry-after')) > 0,
    ]).toEqual([door, 507, 'STORE_OPERATION_FAILED', expect.stringContaining('nearly full'), true])
  }
  const stowed = await server.stow(member, [image(3)])
  const [failed] = (stowed.json['00081198']?.Value ?? []) as Json[]
  expect([stowed.status, valueOf(failed, '00081197')]).toEqual([503, 0xa700])

  // an image that is there already needs no room
  expect((await post(1)).status).toBe(202)
  const key = `study/${member.namespace}/${studyUid}`
  expect((await send(`${key}/schema`, {})).status).toBe(200)
  expect((await server.ask(member, `${member.namespace}/studies/${studyUid}/metadata`)).status).toBe(200)
  freeShare = 0.5
  expect((await post(2)).status).toBe(202)
  freeShare = 0.001
  const deleted = await send(key, { method: 'DELETE' })
  expect([200, 202]).toContain(deleted.status)
})

function attach(): Promise<Response> {
  const form = new FormData()
  form.append('data', new Blob(['text']), 'a.txt')
  return send(`study/${member.namespace}/${studyUid}/attachment`, { method: 'POST', body: form })
}

async function sendChunk(): Promise<Response> {
  const begun = await send('multipart/initiate', {})
  const { upload_uuid } = (await begun.json()) as { upload_uuid: string }
  return send(`multipart/${upload_uuid}`, {
    method: 'POST',
    headers: { 'x-file-size': '3', 'x-file-name': '00000', 'x-ambrahealth-part-checksum': '1' },
    body: 'abc',
  })
}
