import { request as httpRequest } from 'node:http'
import { newUid } from '@hilum/dicom/uid'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const all = ['study_upload', 'study_view', 'study_report_view', 'study_report_upload', 'study_report_delete'] as const

async function makeStudy(
  permissions: readonly (typeof all)[number][] = all,
): Promise<{ member: Member; study: string }> {
  const member = await storage.addMember(permissions)
  const studyUid = newUid()
  await uploadImage(storage, member, madeImage({ studyUid, number: 1 }))
  return { member, study: `${storage.base}/study/${member.namespace}/${studyUid}` }
}

const withSid = (address: string, member: Member) => `${address}?sid=${member.sid}&phi_namespace=${member.namespace}`

async function attach(study: string, member: Member, content: BlobPart, name = 'report.pdf', part = 'data') {
  const form = new FormData()
  form.append('note', 'ignored')
  form.append(part, new Blob([content]), name)
  const reply = await fetch(withSid(`${study}/attachment`, member), { method: 'POST', body: form })
  return {
    status: reply.status,
    body: (await reply.json()) as Record<string, string> & { kind: { readable_status: string } },
  }
}

const pdf = Buffer.from('%PDF-1.7\n made up\n')

test('an attachment is taken, listed, counted, read back and deleted [ATTACH-01] [API-49] [ENTITY-28]', async () => {
  const { member, study } = await makeStudy()
  const before = Date.now()
  const { status, body } = await attach(study, member, pdf, 'Befund Müller.pdf')
  expect(status).toBe(202)
  expect(body).toEqual({
    id: expect.any(String),
    version: expect.any(String),
    filename: 'Befund Müller.pdf',
    size: pdf.length,
    stored: expect.any(Number),
    phi_namespace: member.namespace,
  })
  expect(Number(body.stored)).toBeGreaterThanOrEqual(before - 1000)
  const schema = (await (await fetch(withSid(`${study}/schema`, member))).json()) as { attachments: unknown[] }
  expect(schema.attachments).toEqual([body])
  expect(await (await fetch(withSid(`${study}/count`, member))).json()).toMatchObject({ attachment_count: 1 })
  const address = `${study}/attachment/${body.id}/version/${body.version}`
  for (const one of [
    address,
    `${address}/any.pdf`,
    `${study}/attachment/latest`,
    `${study}/attachment/latest/any.pdf`,
    `${study}/attachment/latest.pdf`,
  ]) {
    const reply = await fetch(withSid(one, member))
    expect([reply.status, Buffer.from(await reply.arrayBuffer()).equals(pdf)]).toEqual([200, true])
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename="Befund M_ller.pdf"; filename*=UTF-8''Befund%20M%C3%BCller.pdf`,
    })
  }
  const gone = await fetch(withSid(address, member), { method: 'DELETE' })
  expect(gone.status).toBe(202)
  for (const one of [address, `${study}/attachment/latest`]) {
    const reply = await fetch(withSid(one, member))
    expect([reply.status, await reply.json()]).toMatchObject([
      404,
      { kind: { code: 16, readable_status: 'ATTACHMENT_NOT_FOUND_EXCEPTION' } },
    ])
  }
  expect(await storage.query(`select attachment_count from study where phi_namespace = '${member.namespace}'`)).toEqual(
    [{ attachment_count: 0 }],
  )
  expect(
    await storage.query(
      `select action, actor::text as actor from audit where phi_namespace = '${member.namespace}' and action like 'REPORT%' order by id`,
    ),
  ).toEqual(['REPORT_UPLOAD', 'REPORT_VIEW', 'REPORT_REMOVE'].map((action) => ({ action, actor: member.user })))
  const again = await fetch(withSid(address, member), { method: 'DELETE' })
  expect(again.status).toBe(404)
})

test('a picture becomes an image of the study as well where that is asked for, and takes the right to upload', async () => {
  const { member, study } = await makeStudy()
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#345' } })
    .png()
    .toBuffer()
  const post = async (content: BlobPart, name: string, flag: string, sender = member) => {
    const form = new FormData()
    form.append('data', new Blob([content]), name)
    const address = `${study}/attachment?sid=${sender.sid}&phi_namespace=${member.namespace}&${flag}=1`
    const reply = await fetch(address, { method: 'POST', body: form })
    return { status: reply.status, body: await reply.json() }
  }
  const { status, body } = await post(new Uint8Array(picture), 'wound.png', 'synchronous_wrap')
  expect([status, body]).toMatchObject([202, { filename: 'wound.png', images: [{ namespace: member.namespace }] }])
  expect(await (await fetch(withSid(`${study}/count`, member))).json()).toMatchObject({
    image_count: 2,
    attachment_count: 1,
  })
  const damaged = await post(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'damaged.png', 'synchronous_wrap')
  expect([damaged.status, damaged.body.wrap_error]).toEqual([202, 'The picture cannot be read'])
  const text = await post('words', 'words.txt', 'synchronous_wrap')
  expect([text.status, text.body.images]).toEqual([202, undefined])
  await storage.query(`update role set permissions = array_remove(permissions, 'study_upload')
    where uuid in (select role_uuid from group_user where user_uuid = '${member.user}')`)
  expect((await post('words', 'more.txt', 'wrap_images')).status).toBe(403)
  expect((await post('words', 'more.txt', 'static_ids')).status).toBe(202)
})

test('a file of the same name is the next version, the same bytes again are not', async () => {
  const { member, study } = await makeStudy()
  const first = await attach(study, member, 'one', 'report.txt')
  const second = await attach(study, member, 'two', 'report.txt')
  const repeated = await attach(study, member, 'one', 'report.txt')
  const other = await attach(study, member, 'one', 'other.txt')
  expect(second.body.id).toBe(first.body.id)
  expect(second.body.version).not.toBe(first.body.version)
  expect(repeated.body).toEqual(first.body)
  expect(other.body.id).not.toBe(first.body.id)
  const read = async (version: string | undefined) =>
    (await fetch(withSid(`${study}/attachment/${first.body.id}/version/${version}`, member))).text()
  expect([await read(first.body.version), await read(second.body.version)]).toEqual(['one', 'two'])
  expect(await storage.query(`select attachment_count from study where phi_namespace = '${member.namespace}'`)).toEqual(
    [{ attachment_count: 3 }],
  )
})

test('a deleted version that is sent again is back', async () => {
  const { member, study } = await makeStudy()
  const { body } = await attach(study, member, 'text', 'a.txt')
  const address = withSid(`${study}/attachment/${body.id}/version/${body.version}`, member)
  await fetch(address, { method: 'DELETE' })
  const back = await attach(study, member, 'text', 'a.txt')
  expect(back.status).toBe(202)
  expect(
    (await fetch(withSid(`${study}/attachment/${back.body.id}/version/${back.body.version}`, member))).status,
  ).toBe(200)
})

test('what could run is never shown in place, whatever its name says', async () => {
  const { member, study } = await makeStudy()
  for (const [content, name] of [
    ['<script>alert(1)</script>', 'picture.png'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'drawing.svg'],
    ['MZ program', 'scan.pdf'],
  ] as const) {
    const { body } = await attach(study, member, content, name)
    const reply = await fetch(withSid(`${study}/attachment/${body.id}/version/${body.version}`, member))
    await reply.arrayBuffer()
    expect(reply.headers.get('content-type')).toBe('application/octet-stream')
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test.each([
  ['../../../etc/cron.d/job', 'job'],
  ['C:\\temp\\x.txt', 'x.txt'],
  ['a\r\nX-Injected: 1.txt', 'aX-Injected_ 1.txt'],
  ['bill\u202Efdp.exe', 'billfdp.exe'],
  [`${'n'.repeat(996)}.txt`, `${'n'.repeat(236)}.txt`],
])('the file name %j is kept as %j, and goes into no header as it is', async (name, kept) => {
  const { member, study } = await makeStudy()
  const { status, body } = await attach(study, member, 'text', name)
  expect([status, body.filename]).toEqual([202, kept])
  const reply = await fetch(withSid(`${study}/attachment/${body.id}/version/${body.version}`, member))
  expect(reply.status).toBe(200)
  expect(reply.headers.get('x-injected')).toBeNull()
  expect(await reply.text()).toBe('text')
})

test('attaching, reading and deleting each take their own permission', async () => {
  const { member, study } = await makeStudy(['study_upload', 'study_view'])
  expect((await attach(study, member, 'x')).status).toBe(403)
  expect((await fetch(withSid(`${study}/attachment/latest`, member))).status).toBe(403)
  const other = await makeStudy()
  const { body } = await attach(other.study, other.member, 'x')
  const address = `${other.study}/attachment/${body.id}/version/${body.version}`
  for (const method of ['GET', 'DELETE'])
    expect((await fetch(`${address}?sid=${member.sid}`, { method })).status).toBe(403)
  const here = `${study}/attachment/${body.id}/version/${body.version}`
  expect((await fetch(`${here}?sid=nobody`)).status).toBe(403)
})

test('a form that lacks its part, is empty or ends early keeps nothing and says why', async () => {
  const { member, study } = await makeStudy()
  expect((await attach(study, member, 'x', 'a.txt', 'file')).status).toBe(400)
  expect((await attach(study, member, '', 'a.txt')).body.kind.readable_status).toBe('VALIDATION_ERROR')
  const body = '--b\r\nContent-Disposition: form-data; name="data"; filename="a.txt"\r\n\r\nhalf'
  const cut = await fetch(withSid(`${study}/attachment`, member), {
    method: 'POST',
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  expect(cut.status).toBe(400)
  const schema = (await (await fetch(withSid(`${study}/schema`, member))).json()) as { attachments: unknown[] }
  expect(schema.attachments).toEqual([])
  expect(await storage.query(`select from attachment where phi_namespace = '${member.namespace}'`)).toEqual([])
})

test('a file announced larger than allowed is refused before it is read', async () => {
  const { member, study } = await makeStudy()
  const status = await new Promise((resolve, reject) => {
    const sent = httpRequest(
      withSid(`${study}/attachment`, member),
      {
        method: 'POST',
        headers: { 'content-length': 3 * 1024 ** 3, 'content-type': 'multipart/form-data; boundary=b' },
      },
      (reply) => {
        resolve(reply.statusCode)
        sent.destroy()
      },
    )
    sent.on('error', reject)
    sent.write('--b\r\n')
  })
  expect(status).toBe(413)
})
