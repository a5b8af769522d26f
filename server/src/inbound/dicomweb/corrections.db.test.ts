import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { inflate } from '@hilum/dicom/node/inflate'
import { readHeader } from '@hilum/dicom/read'
import { blankPreamble } from '@hilum/dicom/splice'
import { findText } from '@hilum/dicom/values'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, describe, expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { addressOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const run = promisify(execFile)
const all = ['study_upload', 'study_view', 'study_download'] as const
const explicit = '1.2.840.10008.1.2.1'
const work = await mkdtemp(join(tmpdir(), 'hilum-corrections-'))
afterAll(() => rm(work, { recursive: true }))

/** An attribute of a file as DCMTK reads it. */
async function dump(bytes: Uint8Array, tag: string): Promise<string> {
  const path = join(work, 'one.dcm')
  await writeFile(path, bytes)
  const { stdout } = await run('dcmdump', ['+P', tag, path], { maxBuffer: 1e8 })
  return stdout
}

describe.skipIf(isCorpusMissing)('corrections on the way out', () => {
  const file = listCorpus('studies/mr-multiseries-stc/')[0] as CorpusFile
  const correct = (own: Member, old: string, now: string) => {
    const edits = JSON.stringify([{ tag: 'patientid', old, new: now, who: own.user, when: '2026-01-31 10:00:00+00' }])
    return server.query(
      `update study set patientid = '${now}', phi_version = phi_version + 1, edits = '${edits}' where phi_namespace = '${own.namespace}'`,
    )
  }

  test('instance, metadata and search tell the corrected value, the old one is kept in the instance', async () => {
    const own = await server.addMember(all)
    await server.upload(own, [file.path])
    const at = `${own.namespace}/${addressOf(file)}`
    const before = await server.ask(own, `${at}/metadata`)
    await correct(own, file.patient_id ?? '', 'MRN-CORRECTED')
    const [metadata] = await server.list(own, `${at}/metadata`)
    expect(metadata?.['00100020']?.Value).toEqual(['MRN-CORRECTED'])
    expect(JSON.stringify(metadata?.['04000561'])).toContain(file.patient_id)
    const [ofSeries] = await server.list(
      own,
      `${own.namespace}/studies/${file.study_uid}/series/${file.series_uid}/metadata`,
    )
    expect(ofSeries).toEqual(metadata)
    const changed = await server.ask(own, `${at}/metadata`, {
      headers: { 'if-none-match': before.headers.get('etag') ?? '' },
    })
    expect(changed.status).toBe(200)
    for (const syntax of ['*', explicit]) {
      const reply = await server.ask(own, at, { headers: { accept: `application/dicom; transfer-syntax=${syntax}` } })
      const text = await dump(Buffer.from(await reply.arrayBuffer()), '0010,0020')
      expect([syntax, text]).toEqual([syntax, expect.stringContaining('[MRN-CORRECTED]')])
    }
    const [found] = await server.list(own, `${own.namespace}/studies?PatientID=MRN-CORRECTED`)
    expect(found?.['00100020']?.Value).toEqual(['MRN-CORRECTED'])
    const asCame = await server.ask(own, `${at}?as_received=1`, {
      headers: { accept: 'application/dicom; transfer-syntax=*' },
    })
    expect(Buffer.from(await asCame.arrayBuffer()).equals(blankPreamble(readCorpusFile(file.path)))).toBe(true)
  })

  test('an instance takes the issuer of its new MRN, and leaves as it came once the old MRN is back', async () => {
    const own = await server.addMember(all)
    await server.upload(own, [file.path])
    const at = `${own.namespace}/${addressOf(file)}`
    const made = { who: own.user, when: '2026-01-31T10:00:00.000Z' }
    const write = (mrn: string, edits: object[]) =>
      server.query(
        `update study set patientid = '${mrn}', phi_version = phi_version + 1, edits = '${JSON.stringify(edits)}' where phi_namespace = '${own.namespace}'`,
      )
    await write('M1', [
      { tag: 'patientid', old: file.patient_id, new: 'M1', ...made },
      { tag: 'issuer', old: '', new: 'HOME', ...made },
    ])
    const accept = { headers: { accept: 'application/dicom; transfer-syntax=*' } }
    const left = Buffer.from(await (await server.ask(own, at, accept)).arrayBuffer())
    expect(await dump(left, '0010,0020')).toContain('[M1]')
    expect(await dump(left, '0010,0021')).toContain('[HOME]')
    const [metadata] = await server.list(own, `${at}/metadata`)
    expect(metadata?.['00100021']?.Value).toEqual(['HOME'])
    expect(JSON.stringify(metadata?.['04000561'])).toMatch(/"00100021":\{"vr":"LO"\}/)
    await write(file.patient_id ?? '', [])
    const again = Buffer.from(await (await server.ask(own, at, accept)).arrayBuffer())
    expect(again.equals(blankPreamble(readCorpusFile(file.path)))).toBe(true)
  })

  test('with its issuer an instance loses what described the one before, which is kept as it was', async () => {
    const own = await server.addMember(all)
    const studyUid = newUid()
    const entity = { tag: 0x00400032, vr: 'UT', value: '1.2.840.99' }
    const more = [{ tag: 0x00100024, vr: 'SQ', value: [[entity]] }]
    const image = madeImage({ studyUid, number: 1, patientId: 'P1', more })
    expect((await uploadImage(server, own, image)).status).toBe(202)
    const at = `${own.namespace}/studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.1`
    const made = { who: own.user, when: '2026-01-31T10:00:00.000Z' }
    const edits = [
      { tag: 'patientid', old: 'P1', new: 'M1', ...made },
      { tag: 'issuer', old: '', new: 'HOME', ...made },
    ]
    await server.query(
      `update study set patientid = 'M1', phi_version = phi_version + 1, edits = '${JSON.stringify(edits)}' where phi_namespace = '${own.namespace}'`,
    )
    const [metadata] = await server.list(own, `${at}/metadata`)
    expect([metadata?.['00100021']?.Value, metadata?.['00100024']]).toEqual([['HOME'], undefined])
    expect(JSON.stringify(metadata?.['04000561'])).toContain('1.2.840.99')
    const accept = { headers: { accept: 'application/dicom; transfer-syntax=*' } }
    const left = Buffer.from(await (await server.ask(own, at, accept)).arrayBuffer())
    const read = readHeader(left, { inflate })
    expect(read.kind === 'header' && read.header.dataSet.elements.has(0x00100024)).toBe(false)
    expect(await dump(left, '0010,0024')).toContain('0040,0032')
    const listed = await fetch(
      `${server.base}/study/${own.namespace}/${studyUid}/image/${studyUid}.1.1/version/*/attribute?sid=${own.sid}&phi_namespace=${own.namespace}`,
    )
    expect(await listed.text()).not.toContain('IssuerOfPatientIDQualifiersSequence')
  })

  test('an exam attribute with another value than the corrected one stays; what is said of the one patient does not', async () => {
    const own = await server.addMember(all)
    const studyUid = newUid()
    const images = [
      madeImage({ studyUid, number: 1, patientName: 'Doe^Jane', more: [{ tag: 0x00080050, vr: 'SH', value: 'A1' }] }),
      madeImage({ studyUid, number: 2, patientName: 'DOE^JANE^M', more: [{ tag: 0x00080050, vr: 'SH', value: 'A2' }] }),
    ]
    for (const image of images) expect((await uploadImage(server, own, image)).status).toBe(202)
    const made = { who: own.user, when: '2026-01-31T10:00:00.000Z' }
    const edits = [
      { tag: 'patient_name', old: 'Doe^Jane', new: 'Roe^Ann', ...made },
      { tag: 'accession_number', old: 'A1', new: 'B1', ...made },
    ]
    await server.query(
      `update study set patient_name = 'Roe^Ann', accession_number = 'B1', phi_version = phi_version + 1, edits = '${JSON.stringify(edits)}' where phi_namespace = '${own.namespace}'`,
    )
    const left = await Promise.all(
      [1, 2].map(async (number) => {
        const at = `${own.namespace}/studies/${studyUid}/series/${studyUid}.1/instances/${studyUid}.1.${number}`
        const reply = await server.ask(own, at, { headers: { accept: 'application/dicom; transfer-syntax=*' } })
        const read = readHeader(Buffer.from(await reply.arrayBuffer()), { inflate })
        if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
        return [0x00100010, 0x00080050].map((tag) => findText(read.header.dataSet, tag))
      }),
    )
    expect(left).toEqual([
      ['Roe^Ann', 'B1'],
      ['Roe^Ann', 'A2'],
    ])
  })

  test('corrected instances of two patients in one study are refused in words, as received they can be had', async () => {
    const own = await server.addMember(all)
    const paths = [
      'malformed/collisions/one-study-two-patients-1.dcm',
      'malformed/collisions/one-study-two-patients-2.dcm',
    ]
    await server.upload(own, paths)
    const [one] = listCorpus(paths[0])
    await correct(own, one?.patient_id ?? '', 'MRN-CORRECTED')
    const refused = await server.ask(own, `${own.namespace}/studies/${one?.study_uid}`)
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      409,
      expect.stringContaining('more than one patient'),
    ])
    expect((await server.ask(own, `${own.namespace}/studies/${one?.study_uid}?as_received=1`)).status).toBe(200)
    expect((await server.ask(own, `${own.namespace}/studies/${one?.study_uid}/metadata`)).status).toBe(200)
  })
})
