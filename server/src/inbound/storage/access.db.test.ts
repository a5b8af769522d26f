import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { describe, expect, test } from 'vitest'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const [file] = listCorpus('studies/mg-screening/')
const image = `image/${file?.sop_uid}/version/*`
const paths = [
  'schema',
  'count',
  'download?bundle=dicom',
  image,
  `${image}/json`,
  `${image}/frame/0`,
  `${image}/frame/0/thumbnail`,
]
const denied = [403, 'ACCESS_DENIED']
const all = ['study_upload', 'study_view', 'study_download'] as const

async function uploadedBy(permissions: Parameters<typeof storage.addMember>[0]): Promise<Member> {
  const member = await storage.addMember(permissions)
  const body = new Uint8Array(readCorpusFile(file?.path ?? ''))
  await fetch(`${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`, { method: 'POST', body })
  return member
}

async function ask(
  path: string,
  member: Pick<Member, 'sid' | 'namespace'>,
  query = '',
  studyUid = file?.study_uid,
): Promise<[number, string]> {
  const mark = path.includes('?') ? '&' : '?'
  const reply = await fetch(
    `${storage.base}/study/${member.namespace}/${studyUid}/${path}${mark}sid=${member.sid}${query}`,
  )
  const isError = reply.status >= 400
  const code = isError ? ((await reply.json()) as { kind: { readable_status: string } }).kind.readable_status : ''
  if (!isError) await reply.arrayBuffer()
  return [reply.status, code]
}

test('a namespace that is no UUID is answered as a foreign one', async () => {
  const member = await storage.addMember(all)
  const none = '-'.repeat(36)
  expect(await ask('schema', { ...member, namespace: none }, '', '1.2.3')).toEqual(denied)
  expect(await ask('schema', member, `&phi_namespace=${none}`, '1.2.3')).toEqual(denied)
})

describe.skipIf(isCorpusMissing).each(paths)('GET ST/%s', (path) => {
  test('answers those who may, and nobody else', async () => {
    const owner = await uploadedBy(all)
    const stranger = await storage.addMember(all)
    expect(await ask(path, owner)).toEqual([200, ''])
    expect(await ask(path, owner, `&phi_namespace=${owner.namespace}`)).toEqual([200, ''])
    expect(await ask(path, { ...owner, sid: 'wrong' })).toEqual(denied)
    expect(await ask(path, { ...owner, sid: stranger.sid })).toEqual(denied)
    expect(await ask(path, owner, `&phi_namespace=${stranger.namespace}`)).toEqual(denied)
    expect(await ask(path, { ...owner, namespace: 'c0ffee00-0000-4000-8000-000000000000' })).toEqual(denied)
    expect(await ask(path, owner, '', '1.2.3.4.5')).toEqual([404, 'STUDY_NOT_FOUND'])
    expect(await ask(path, await uploadedBy(['study_upload']))).toEqual(denied)
  })

  test('answers nobody once the record is deleted', async () => {
    const owner = await uploadedBy(all)
    await storage.query(`update study set deleted_at = now() where phi_namespace = '${owner.namespace}'`)
    expect((await ask(path, owner))[0]).toBe(404)
  })
})
