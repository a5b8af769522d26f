import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findFileStart } from '@hilum/dicom/file-start'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { concatBytes, encodeElements } from '@hilum/dicom/write-part10'
import { afterAll, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { readDisc } from '../../../test/read-disc.ts'
import { openCalls } from '../../../test/test-app.ts'
import { startStorage } from '../../../test/storage-fixture.ts'

/*
 * Files that came without preamble, without the letters DICM, without group 0002 or without its transfer syntax, or with
 * the name of another syntax than their bytes are in, leave by every door as files that DCMTK takes for such (dcmftest), and hold the images that came.
 */

const storage = await startStorage()
const call = await openCalls(storage.services, storage.folder)
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-bare-'))
afterAll(() => rm(work, { recursive: true }))

const magic = Buffer.from('DICM')
const explicit = { isExplicit: true, isLittleEndian: true }
/** How much of its beginning a file came without. */
const shortenings: Record<string, (file: Uint8Array, dataSetStart: number) => Uint8Array> = {
  'without preamble': (file) => file.subarray(128),
  'without preamble and DICM': (file) => file.subarray(132),
  'without group 0002': (file, start) => concatBytes([file.subarray(0, 132), file.subarray(start)]),
  'with a text as preamble and without group 0002': (file, start) =>
    concatBytes([Buffer.alloc(128, '#!sh '), magic, file.subarray(start)]),
  'as a bare data set': (file, start) => file.subarray(start),
  'without its transfer syntax': (file, start) => {
    const meta = { tag: Tag.ImplementationVersionName, vr: 'SH', value: 'SHORT' }
    return concatBytes([file.subarray(0, 132), encodeElements([meta], explicit), file.subarray(start)])
  },
  'under the name of another syntax': (file, start) => {
    const { transferSyntax } = findFileStart(file, file.length)
    const other = transferSyntax === ExplicitLittleEndian ? ImplicitLittleEndian : ExplicitLittleEndian
    const named = encodeElements([{ tag: Tag.TransferSyntaxUID, vr: 'UI', value: other }], explicit)
    return concatBytes([file.subarray(0, 132), named, file.subarray(start)])
  },
}

const ways = Object.entries(shortenings).flatMap(([how, shorten]) =>
  [ExplicitLittleEndian, ImplicitLittleEndian].flatMap((syntax) =>
    [false, true].map((isEdited) => ({ how, shorten, syntax, isEdited })),
  ),
)

test.each(ways)('a file that came $how in $syntax leaves whole, edited: $isEdited', async (way) => {
  const { shorten, syntax, isEdited } = way
  const member = await storage.addMember(['study_upload', 'study_view', 'study_download', 'study_edit'])
  const studyUid = newUid()
  const whole = madeImage({ studyUid, number: 1, patientName: 'CAME^BARE', transferSyntax: syntax })
  const { dataSetStart } = findFileStart(whole, whole.length)
  const sent = await uploadImage(storage, member, shorten(whole, dataSetStart))
  expect([sent.status, sent.body]).toEqual([202, expect.anything()])
  if (isEdited) {
    const triplet = { study_uid: studyUid, storage_namespace: member.namespace }
    await call('study/set', { sid: member.sid, ...triplet, patient_name: 'EDITED^NAME' })
  }
  const name = isEdited ? 'EDITED^NAME' : 'CAME^BARE'
  const image = `${storage.base}/study/${member.namespace}/${studyUid}`
  const instance = `${image}/image/${studyUid}.1.1/version/*?sid=${member.sid}`
  const web = `${storage.base.replace('/api/v3/storage', '/dicomweb')}/${member.namespace}/studies/${studyUid}`
  const doors = [
    [instance, name, syntax],
    [`${instance}&transfer_syntax=*`, name, syntax],
    [`${instance}&transfer_syntax=${ExplicitLittleEndian}`, name, ExplicitLittleEndian],
    [`${instance}&as_received=1`, 'CAME^BARE', syntax],
    [`${image}/download?bundle=dicom&sid=${member.sid}`, name, syntax],
    [`${image}/download?bundle=dicom&transfer_syntax=*&roche_directory=1&sid=${member.sid}`, name, syntax],
    [`${image}/download?bundle=iso&sid=${member.sid}`, name, syntax],
    [`${image}/download?bundle=dicom&sid=${member.sid}&anonymize_tags=${Tag.PatientName}=NOBODY`, 'NOBODY', syntax],
    [`${web}/series/${studyUid}.1/instances/${studyUid}.1.1?accept=application/dicom;transfer-syntax=*`, name, syntax],
  ] as const
  for (const [index, [url, expected, expectedSyntax]] of doors.entries()) {
    const folder = await mkdtemp(join(work, `${index}-`))
    const reply = await fetch(url, { headers: { authorization: `Bearer ${member.sid}` } })
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect([reply.status, url]).toEqual([200, url])
    expect(Number(reply.headers.get('content-length'))).toBe(bytes.length)
    await writeFile(join(folder, 'file'), bytes)
    if (url.includes('bundle=iso')) await writeEntries(folder, readDisc(bytes))
    else if (url.includes('/download')) await run('unzip', ['-q', 'file'], { cwd: folder })
    const [path] = (await readdir(folder, { recursive: true }))
      .filter((one) => /IMG|IM0|\.dcm$|^file$/.test(one))
      .toSorted((a, b) => b.length - a.length)
    await run('dcmftest', [path ?? ''], { cwd: folder })
    const { stdout } = await run(
      'dcmdump',
      ['+P', '0010,0010', '+P', '0002,0010', '+P', '0002,0003', '-Un', path ?? ''],
      { cwd: folder },
    )
    expect(stdout).toContain(`[${expected}]`)
    expect(stdout).toContain(`[${expectedSyntax}]`)
    expect(stdout).toContain(`[${studyUid}.1.1]`)
  }
})

async function writeEntries(folder: string, entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of entries) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), bytes)
  }
}
