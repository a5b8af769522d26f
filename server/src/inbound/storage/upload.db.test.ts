import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { describe, expect, test } from 'vitest'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const uploader = ['study_upload', 'study_view', 'study_download'] as const

type Answer = {
  status: number
  body: Record<string, unknown> & { kind?: { readable_status: string }; message?: string }
}

async function send(member: Member, bytes: Uint8Array, namespace = member.namespace, query = ''): Promise<Answer> {
  const body = new Uint8Array(bytes)
  const reply = await fetch(`${storage.base}/namespace/${namespace}/image?sid=${member.sid}${query}`, {
    method: 'POST',
    body,
  })
  return { status: reply.status, body: (await reply.json()) as Answer['body'] }
}

async function listObjects(member: Member): Promise<string[]> {
  const entries = await readdir(join(storage.folder, 'objects', member.account), {
    recursive: true,
    withFileTypes: true,
  })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const ct = 'studies/ct-head-phantom-visit1/series201/IM0001.dcm'

describe.skipIf(isCorpusMissing)('uploading an image', () => {
  test('stores the bytes as they came, and makes a record that is receiving [UPLOAD-13]', async () => {
    const member = await storage.addMember(uploader)
    const bytes = readCorpusFile(ct)
    const { status, body } = await send(member, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(status).toBe(202)
    expect(body).toMatchObject({ namespace: member.namespace, outcome: 'stored', attr: { sha256 } })
    const [record] = await storage.query(`
      select s.arrival, s.patient_name <> '' as named, s.modality, t.image_count, t.series_count, s.source
      from study s join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
      where s.phi_namespace = '${member.namespace}'`)
    expect(record).toEqual({
      arrival: 'receiving',
      named: true,
      modality: 'CT',
      image_count: 1,
      series_count: 1,
      source: 'upload',
    })
    const back = await fetch(
      `${storage.base}/study/${member.namespace}/${body.study_uid}/image/${body.image_uid}/version/*?sid=${member.sid}`,
    )
    expect(
      createHash('sha256')
        .update(Buffer.from(await back.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256)
  })

  test('lists every attribute of an image by its number, name and value', async () => {
    const member = await storage.addMember(uploader)
    const { body } = await send(member, readCorpusFile(ct))
    const address = `${storage.base}/study/${member.namespace}/${body.study_uid}/image/${body.image_uid}/version/*/json?sid=${member.sid}`
    const { tags } = (await (await fetch(address)).json()) as { tags: { group: number; element: number }[] }
    expect(tags).toContainEqual({ group: 0x0008, element: 0x0060, vr: 'CS', vl: 2, name: 'Modality', value: 'CT' })
    expect(tags).toContainEqual(expect.objectContaining({ group: 0x0028, element: 0x0010, vr: 'US', value: '512' }))
    expect(tags.filter((tag) => tag.group === 2).every((tag) => tag.element !== 0)).toBe(true)
  })

  test('answers the same bytes again as a duplicate and keeps one object', async () => {
    const member = await storage.addMember(uploader)
    const bytes = readCorpusFile(ct)
    const answers = await Promise.all([send(member, bytes), send(member, bytes), send(member, bytes)])
    answers.push(await send(member, bytes))
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202, 202])
    expect(answers.map((answer) => answer.body.outcome).sort()).toEqual([
      'duplicate',
      'duplicate',
      'duplicate',
      'stored',
    ])
    expect(await listObjects(member)).toHaveLength(1)
  })

  test('keeps other bytes under the same SOP UID as a conflict copy, and the first stays the one shown', async () => {
    const member = await storage.addMember(uploader)
    const first = await send(member, readCorpusFile('malformed/collisions/duplicate-conflict-1.dcm'))
    const second = await send(member, readCorpusFile('malformed/collisions/duplicate-conflict-2.dcm'))
    expect([first.body.outcome, second.body.outcome]).toEqual(['stored', 'conflict'])
    const address = `${storage.base}/study/${member.namespace}/${first.body.study_uid}`
    const schema = (await (await fetch(`${address}/schema?sid=${member.sid}`)).json()) as {
      series: { images: { version: string }[] }[]
    }
    expect(schema.series.flatMap((series) => series.images.map((image) => image.version))).toEqual([
      first.body.image_version,
    ])
    const shown = await fetch(`${address}/image/${first.body.image_uid}/version/*?sid=${member.sid}`)
    expect(
      Buffer.from(await shown.arrayBuffer()).equals(readCorpusFile('malformed/collisions/duplicate-conflict-1.dcm')),
    ).toBe(true)
    const other = await fetch(
      `${address}/image/${first.body.image_uid}/version/${second.body.image_version}?sid=${member.sid}`,
    )
    expect(
      Buffer.from(await other.arrayBuffer()).equals(readCorpusFile('malformed/collisions/duplicate-conflict-2.dcm')),
    ).toBe(true)
    expect(
      await storage.query(
        `select conflict_count, image_count from stored_study where storage_namespace = '${member.namespace}'`,
      ),
    ).toEqual([{ conflict_count: 1, image_count: 1 }])
  })

  test('flags a study whose images name two patients', async () => {
    const member = await storage.addMember(uploader)
    await send(member, readCorpusFile('malformed/collisions/one-study-two-patients-1.dcm'))
    await send(member, readCorpusFile('malformed/collisions/one-study-two-patients-2.dcm'))
    expect(await storage.query(`select mixed_patients from study where phi_namespace = '${member.namespace}'`)).toEqual(
      [{ mixed_patients: true }],
    )
  })

  test('fills an announced study from its first image, but for what a person set meanwhile', async () => {
    const member = await storage.addMember(uploader)
    const [file] = listCorpus('studies/ct-head-phantom-visit1')
    const edits = JSON.stringify([{ tag: 'patientid', old: '', new: 'MRN-7', who: member.user, when: '' }])
    await storage.query(`insert into study (phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, patientid, edits, created, updated)
      values ('${member.namespace}', gen_random_uuid(), '${file?.study_uid}', '${member.namespace}', '${member.account}', '${file?.patient_name}', 'MRN-7', '${edits}', now(), now())`)
    await send(member, readCorpusFile(file?.path ?? ''))
    const [record] = await storage.query<{
      patient_name: string
      patientid: string
      arrival: string
      edits: { old: string }[]
    }>(`select patient_name, patientid, arrival, edits from study where phi_namespace = '${member.namespace}'`)
    expect(record).toMatchObject({ patient_name: file?.patient_name, patientid: 'MRN-7', arrival: 'receiving' })
    expect(record?.edits[0]?.old).toBe(file?.patient_id)
  })

  test('refuses an image of another study than the one named', async () => {
    const member = await storage.addMember(uploader)
    const { status, body } = await send(member, readCorpusFile(ct), member.namespace, '&study_uid=1.2.3')
    expect([status, body.kind?.readable_status]).toEqual([412, 'VALIDATION_ERROR'])
    expect(await listObjects(member).catch(() => [])).toEqual([])
  })

  test('answers as the manifest says for every file of the corpus, and lists nothing of what it refuses [API-41]', async () => {
    const member = await storage.addMember(uploader)
    const wrong: unknown[] = []
    for (const file of listCorpus().filter(
      (file) => !file.path.startsWith('studies/') && !file.path.startsWith('media/'),
    )) {
      const { status, body } = await send(member, readCorpusFile(file.path))
      const isTaken = status === 202
      if (file.expected === 'either' ? ![202, 412].includes(status) : isTaken !== (file.expected === 'accept'))
        wrong.push([file.path, status, body])
      if (!isTaken && (!body.message || !body.kind)) wrong.push([file.path, 'no reason', body])
    }
    expect(wrong).toEqual([])
    const [{ instances, blobs } = { instances: 0, blobs: 0 }] = await storage.query<{
      instances: number
      blobs: number
    }>(`
      select (select count(*) from instance where storage_namespace = '${member.namespace}') as instances,
        (select count(distinct object_key) from blob where account_uuid = '${member.account}') as blobs`)
    expect(instances).toBeGreaterThan(100)
    expect(await listObjects(member)).toHaveLength(blobs)
  })
})

describe('refusing', () => {
  test('a foreign namespace, an unknown one and a wrong sid are ACCESS_DENIED alike', async () => {
    const member = await storage.addMember(uploader)
    const other = await storage.addMember(uploader)
    const answers = [
      await send(member, new Uint8Array(10), other.namespace),
      await send(member, new Uint8Array(10), 'c0ffee00-0000-4000-8000-000000000000'),
      await send({ ...member, sid: 'wrong' }, new Uint8Array(10)),
      await send(await storage.addMember(['study_view']), new Uint8Array(10)),
    ]
    expect(answers.map((answer) => [answer.status, answer.body.kind?.readable_status])).toEqual(
      Array.from({ length: 4 }, () => [403, 'ACCESS_DENIED']),
    )
  })

  test('an empty body gets a reason', async () => {
    const member = await storage.addMember(uploader)
    const { status, body } = await send(member, new Uint8Array(0))
    expect([status, body.message]).toEqual([412, 'The file is empty'])
  })

  test('a length beyond the limit is refused before the body comes', async () => {
    const member = await storage.addMember(uploader)
    const status = await new Promise((resolve, reject) => {
      const sending = request(`${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`, {
        method: 'POST',
        headers: { 'content-length': String(9 * 1024 ** 3) },
      })
      sending.on('response', (reply) => {
        resolve(reply.statusCode)
        sending.destroy()
      })
      sending.on('error', reject)
      sending.flushHeaders()
    })
    expect(status).toBe(413)
  })

  test.skipIf(isCorpusMissing)('a connection that ends in the middle lists nothing and leaves nothing', async () => {
    const member = await storage.addMember(uploader)
    const bytes = readCorpusFile(ct)
    await new Promise<void>((resolve) => {
      const sending = request(`${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`, {
        method: 'POST',
        headers: { 'content-length': String(bytes.length) },
      })
      sending.on('error', () => resolve())
      sending.write(bytes.subarray(0, 200_000), () => sending.destroy())
      sending.on('close', () => resolve())
    })
    await expect.poll(() => listObjects(member).catch(() => [])).toEqual([])
    expect(await storage.query(`select 1 from study where phi_namespace = '${member.namespace}'`)).toEqual([])
  })
})
