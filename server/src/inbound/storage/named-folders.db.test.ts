import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-named-'))
afterAll(() => rm(work, { recursive: true }))

const timePoint = 0x00120050

async function uploadTrial(): Promise<{ member: Member; studyUid: string }> {
  const member = await storage.addMember(['study_upload', 'study_view', 'study_download'])
  const studyUid = newUid()
  const described = (time: string, description: string) => [
    { tag: Tag.SeriesTime, vr: 'TM', value: time },
    { tag: Tag.SeriesDescription, vr: 'LO', value: description },
    { tag: Tag.Modality, vr: 'CS', value: 'MR' },
  ]
  const visit = { tag: timePoint, vr: 'LO', value: 'VISIT 2' }
  const images = [
    madeImage({ studyUid, number: 1, series: 1, more: described('101112', 'T1 / axial') }),
    madeImage({ studyUid, number: 2, series: 1, more: described('101112', 'T1 / axial') }),
    madeImage({ studyUid, number: 1, series: 2, more: [...described('101112', 'T1 / axial'), visit] }),
    madeImage({ studyUid, number: 1, series: 3 }),
  ]
  for (const image of images) expect((await uploadImage(storage, member, image)).status).toBe(202)
  return { member, studyUid }
}

function ask({ member, studyUid }: Awaited<ReturnType<typeof uploadTrial>>, query: string): Promise<Response> {
  const study = `${storage.base}/study/${member.namespace}/${studyUid}`
  return fetch(`${study}/download?sid=${member.sid}&phi_namespace=${member.namespace}&${query}`)
}

async function namesIn(reply: Response): Promise<{ names: string[]; folder: string; bytes: Buffer }> {
  expect(reply.status).toBe(200)
  const folder = await mkdtemp(join(work, 'zip-'))
  const bytes = Buffer.from(await reply.arrayBuffer())
  await writeFile(join(folder, 'study.zip'), bytes)
  await run('unzip', ['-q', 'study.zip', '-d', 'out'], { cwd: folder })
  const { stdout } = await run('unzip', ['-Z1', 'study.zip'], { cwd: folder })
  return { names: stdout.trim().split('\n'), folder: join(folder, 'out'), bytes }
}

const named = [
  '20260102-VISIT_2/MR/101112-T1_axial/IMG0001',
  '20260102-VISIT_2/MR/101112-T1_axial/IMG0002',
  '20260102-VISIT_2/MR/101112-T1_axial-2/IMG0001',
  '20260102-VISIT_2/OT/UNKNOWN/IMG0001',
]

test('roche_directory names folders by date, time point, modality, series time and description', async () => {
  const trial = await uploadTrial()
  const reply = await ask(trial, 'bundle=dicom&roche_directory=1')
  const length = Number(reply.headers.get('content-length'))
  const { names, folder, bytes } = await namesIn(reply)
  expect([names, length]).toEqual([named.map((name) => `${name}.dcm`), bytes.length])
  await run('dcmftest', names, { cwd: folder })
  const again = await fetch(reply.url, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  const converted = await namesIn(
    await ask(trial, 'bundle=dicom&roche_directory=1&transfer_syntax=1.2.840.10008.1.2.4.80'),
  )
  expect(converted.names).toEqual(names)
  const pictures = await namesIn(await ask(trial, 'bundle=image&roche_directory=1'))
  expect(pictures.names).toEqual(named.map((name) => `${name}.jpg`))
})

test('names of folders tell nothing that is replaced', async () => {
  const trial = await uploadTrial()
  const list = [
    `${timePoint}=__DELETE__`,
    `${Tag.SeriesDescription}=BLIND`,
    `${Tag.SeriesTime}=__DELETE__`,
    `${Tag.StudyDate}=20000101`,
  ]
  const { names, bytes } = await namesIn(
    await ask(trial, `bundle=dicom&roche_directory=1&anonymize_tags=${list.join()}`),
  )
  expect(names).toEqual([
    '20000101/MR/BLIND/IMG0001.dcm',
    '20000101/MR/BLIND/IMG0002.dcm',
    '20000101/MR/BLIND-2/IMG0001.dcm',
    '20000101/OT/BLIND/IMG0001.dcm',
  ])
  expect(['VISIT', '20260102', '101112', 'axial'].filter((told) => bytes.includes(told))).toEqual([])
})

test('a disc cannot name folders, and one folder for all needs no names', async () => {
  const trial = await uploadTrial()
  const refused = await ask(trial, 'bundle=iso&roche_directory=1')
  expect([refused.status, (await refused.json()).kind.readable_status]).toEqual([406, 'NOT_ACCEPTABLE'])
  const flat = await namesIn(await ask(trial, 'bundle=dicom&roche_directory=1&flat_directory=1'))
  expect(flat.names).toEqual(['IMG0001', 'IMG0002', 'IMG0003', 'IMG0004', 'DICOMDIR'])
})
