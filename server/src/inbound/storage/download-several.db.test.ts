import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-several-'))
afterAll(() => rm(work, { recursive: true }))

const all = ['study_upload', 'study_view', 'study_download'] as const

async function addStudy(member: Member, images = 2): Promise<{ uid: string; uuid: string }> {
  const uid = newUid()
  for (let number = 1; number <= images; number += 1) {
    await uploadImage(storage, member, madeImage({ studyUid: uid, number }))
  }
  const { rows } = await sql<{ uuid: string }>`select uuid from study where study_uid = ${uid}`.execute(storage.db)
  return { uid, uuid: rows[0]?.uuid ?? '' }
}

function addressOf(member: Member, studyUid: string, others: readonly string[], more = 'bundle=dicom'): string {
  const and = others.length > 0 ? `&and_studies=${others.join(',')}` : ''
  return `${storage.base}/study/${member.namespace}/${studyUid}/download?sid=${member.sid}&phi_namespace=${member.namespace}&${more}${and}`
}

async function unpack(address: string): Promise<{ folder: string; names: string[] }> {
  const reply = await fetch(address)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const folder = await mkdtemp(join(work, 'zip-'))
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(Number(reply.headers.get('content-length'))).toBe(bytes.length)
  await writeFile(join(folder, 'a.zip'), bytes)
  await run('unzip', ['-tq', 'a.zip'], { cwd: folder })
  await run('unzip', ['-q', 'a.zip', '-d', 'out'], { cwd: folder })
  const { stdout } = await run('unzip', ['-Z1', 'a.zip'], { cwd: folder })
  return { folder: join(folder, 'out'), names: stdout.trim().split('\n') }
}

async function refusal(address: string): Promise<[number, string]> {
  const reply = await fetch(address)
  // the time of the answer differs
  return [reply.status, (await reply.text()).replace(/"created":\d+/, '')]
}

async function downloads(uuids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from audit
    where action = 'STUDY_DOWNLOAD' and object_uuid = any(${uuids as string[]}::uuid[])
  `.execute(storage.db)
  return rows[0]?.count ?? 0
}

test('[DOWNLOAD-01] several studies come as one ZIP, each in a folder of its own as it would come alone', async () => {
  const member = await storage.addMember(all)
  const [first, second, third] = [await addStudy(member), await addStudy(member, 3), await addStudy(member, 1)]
  const { folder, names } = await unpack(addressOf(member, first.uid, [second.uuid, third.uuid, second.uuid]))
  const folders = [...new Set(names.map((name) => name.split('/')[0] ?? ''))]
  expect(folders).toHaveLength(3)
  expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(3)
  for (const [index, { uid }] of [first, second, third].entries()) {
    const alone = await unpack(addressOf(member, uid, []))
    const here = folders[index] ?? ''
    expect(names.filter((name) => name.startsWith(`${here}/`))).toEqual(alone.names.map((name) => `${here}/${name}`))
    for (const name of alone.names) {
      const [inOne, byItself] = await Promise.all([
        readFile(join(folder, here, name)),
        readFile(join(alone.folder, name)),
      ])
      expect(inOne.equals(byItself)).toBe(true)
    }
  }
})

test('a range of the archive is the same bytes, its ETag stays while nothing changes, and each study goes on record', async () => {
  const member = await storage.addMember(all)
  const [first, second] = [await addStudy(member), await addStudy(member)]
  const address = addressOf(member, first.uid, [second.uuid])
  const head = await fetch(address, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await downloads([first.uuid, second.uuid])).toBe(0)
  const whole = await fetch(address)
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(whole.headers.get('etag')).toBe(head.headers.get('etag'))
  const range = await fetch(address, { headers: { range: 'bytes=1000-1999' } })
  expect(range.status).toBe(206)
  expect(Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
  expect(await downloads([first.uuid, second.uuid])).toBe(2)
})

test('a study that the caller may not download refuses the archive, and nothing foreign can be told from nothing at all', async () => {
  const member = await storage.addMember(all)
  const foreign = await storage.addMember(all)
  const viewer = await storage.addMember(['study_upload', 'study_view'])
  const own = await addStudy(member)
  const other = await addStudy(foreign)
  const ofForeign = await refusal(addressOf(member, own.uid, [other.uuid]))
  expect(ofForeign[0]).toBe(403)
  for (const uuid of [randomUUID(), 'no-uuid']) {
    expect(await refusal(addressOf(member, own.uid, [uuid]))).toEqual(ofForeign)
  }
  const seen = await addStudy(viewer)
  expect((await refusal(addressOf(viewer, seen.uid, [seen.uuid])))[0]).toBe(403)
  expect(await downloads([own.uuid, other.uuid])).toBe(0)
})

test('a record that waits for approval, and one that was deleted, refuse the archive as one that is not there does', async () => {
  const member = await storage.addMember([...all, 'study_delete'])
  const [own, waiting, deleted] = [await addStudy(member), await addStudy(member, 1), await addStudy(member, 1)]
  await sql`update study set must_approve = true where uuid = ${waiting.uuid}`.execute(storage.db)
  const remove = `${storage.base}/study/${member.namespace}/${deleted.uid}?sid=${member.sid}&phi_namespace=${member.namespace}`
  expect((await fetch(remove, { method: 'DELETE' })).status).toBe(202)
  const nothing = await refusal(addressOf(member, own.uid, [randomUUID()]))
  expect(nothing[0]).toBe(403)
  expect(await refusal(addressOf(member, own.uid, [waiting.uuid]))).toEqual(nothing)
  expect(await refusal(addressOf(member, own.uid, [deleted.uuid]))).toEqual(nothing)
  // another record of the same study is not the one that was asked for
  await uploadImage(storage, member, madeImage({ studyUid: deleted.uid, number: 7 }))
  expect(await refusal(addressOf(member, own.uid, [deleted.uuid]))).toEqual(nothing)
})

test('a study that is named twice, once in capitals, stands in the archive once', async () => {
  const member = await storage.addMember(all)
  const [first, second] = [await addStudy(member, 1), await addStudy(member, 1)]
  const others = [second.uuid, second.uuid.toUpperCase(), first.uuid.toUpperCase()]
  const { names } = await unpack(addressOf(member, first.uid, others))
  expect(new Set(names.map((name) => name.split('/')[0])).size).toBe(2)
})

test.each([
  ['bundle=iso', 406],
  ['bundle=image', 406],
  ['bundle=dicom&transfer_syntax=1.2.840.10008.1.2.1', 406],
  ['bundle=dicom&series_uid=1.2', 406],
])('several studies with %s are refused in words', async (more, status) => {
  const member = await storage.addMember(all)
  const [first, second] = [await addStudy(member, 1), await addStudy(member, 1)]
  const reply = await fetch(addressOf(member, first.uid, [second.uuid], more))
  expect([reply.status, await reply.text()]).toEqual([status, expect.stringContaining('Several studies')])
  const most = await fetch(
    addressOf(
      member,
      first.uid,
      Array.from({ length: 100 }, () => randomUUID()),
    ),
  )
  expect([most.status, await most.text()]).toEqual([400, expect.stringContaining('up to 100 studies')])
})
