import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isCorpusMissing, readCorpusFile } from '../node/corpus.ts'
import { readDataSet, readHeader } from '../read.ts'
import { Tag } from '../tags.ts'
import { findItems, findText, valueBytes } from '../values.ts'
import { concatBytes, type WriteElement, writePart10 } from '../write-part10.ts'
import { deidentifyFile } from './deidentify-file.ts'
import { foldWord } from './deidentify-header.ts'
import { mayHoldText, reasonOfHeader, reasonToOmit } from './outgoing-images.ts'

const segmentation = '1.2.840.10008.5.1.4.1.1.66.4'
const uidOf = (uid: string) => `2.25.${BigInt(`0x${createHash('sha256').update(uid).digest('hex').slice(0, 32)}`)}`
const patient = { patientName: 'ANON-1', patientId: 'ANON-1', dates: { kind: 'moved', days: -100 } as const }

function deidentified(bytes: Uint8Array, texts: string[] = []) {
  const read = readHeader(bytes, { untilPixelData: true })
  if (read.kind !== 'header') throw new Error('A whole file needs no more bytes')
  const { header } = read
  const names = [Tag.PatientName, Tag.PatientID].map((tag) => foldWord(findText(header.dataSet, tag) ?? ''))
  const how = { ...patient, uidOf, texts: new Set(texts), words: names, isPixelsSeen: false }
  const { prefix, pixelOffset } = deidentifyFile(bytes, header, how, [])
  const file = concatBytes([prefix, bytes.subarray(pixelOffset)])
  return { before: readDataSet(bytes).dataSet, after: readDataSet(file).dataSet, file, header }
}

/** The lines of dcmdump, which fails the test when the file is broken. */
function dump(file: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'segmentation-'))
  try {
    writeFileSync(join(folder, 'seg.dcm'), file)
    return execFileSync('dcmdump', ['-q', '+L', join(folder, 'seg.dcm')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }).toString()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const pixelsOf = (dataSet: ReturnType<typeof readDataSet>['dataSet']) => {
  const element = dataSet.elements.get(Tag.PixelData)
  return element && Buffer.from(valueBytes(dataSet, element)).toString('base64')
}
const frames = 0x52009230
const segments = 0x00620002

describe.skipIf(isCorpusMissing).each([
  ['studies/pet-headneck-seg/SEG/tumor.dcm', ['Segment 1', 'Segment 2'], ['M-80003', 'M-80006']],
  ['studies/ct-with-sr-seg-pr-ko-pdf/seg_image_ct_binary_single_frame.dcm', ['Segment 1'], ['272673000']],
])('the segmentation %s without names', (path, labels, codes) => {
  const bytes = readCorpusFile(path)
  const { before, after, file, header } = deidentified(bytes)

  it('leaves whole: the same pixels, frames and places, with public codes and a label for each segment', () => {
    expect(reasonToOmit(header.sopClassUid, header.transferSyntax) ?? reasonOfHeader(header.dataSet)).toBeUndefined()
    expect(mayHoldText(header.dataSet, header.sopClassUid)).toBe(false)
    expect(pixelsOf(after)).toBe(pixelsOf(before))
    expect(findItems(after, frames)).toHaveLength(findItems(before, frames).length)
    const placeOf = (dataSet: typeof after) =>
      findItems(dataSet, frames).map((frame) =>
        findItems(frame, 0x00209113).map((place) => findText(place, Tag.ImagePositionPatient)),
      )
    expect(placeOf(after)).toEqual(placeOf(before))
    expect(findItems(after, segments).map((one) => findText(one, 0x00620005))).toEqual(labels)
    expect(
      findItems(after, segments).flatMap((one) =>
        findItems(one, 0x0062000f).map((code) => findText(code, Tag.CodeValue)),
      ),
    ).toEqual(codes)
  })

  it('is of the images of the same copy, and names nobody', () => {
    const sources = (dataSet: typeof after) =>
      findItems(dataSet, 0x00081115)
        .flatMap((series) => findItems(series, 0x0008114a))
        .map((one) => findText(one, 0x00081155) ?? '')
    expect(sources(before).length).toBeGreaterThan(0)
    expect(sources(after)).toEqual(sources(before).map(uidOf))
    const text = dump(file)
    for (const tag of [Tag.PatientName, Tag.PatientID, Tag.StudyInstanceUID, Tag.FrameOfReferenceUID])
      expect(text).not.toContain(findText(before, tag))
    // attributes of type 1 have a value (PS3.3 §A.51)
    for (const tag of ['0008,0070', '0008,1090', '0018,1020', '0062,0005', '0070,0080'])
      expect([tag, new RegExp(`\\(${tag}\\) .. \\[`).test(text)]).toEqual([tag, text.includes(`(${tag})`)])
  })
})

it.skipIf(isCorpusMissing)('a label of a segment leaves that a person has read', () => {
  const bytes = readCorpusFile('studies/pet-headneck-seg/SEG/tumor.dcm')
  const { after } = deidentified(bytes, ['Neoplasm, Primary'])
  expect(findItems(after, segments).map((one) => findText(one, 0x00620005))).toEqual(['Neoplasm, Primary', 'Segment 2'])
})

describe('a segmentation', () => {
  const code = (value: string, scheme: string): WriteElement[] => [
    { tag: Tag.CodeValue, vr: 'SH', value },
    { tag: Tag.CodingSchemeDesignator, vr: 'SH', value: scheme },
    { tag: Tag.CodeMeaning, vr: 'LO', value: 'Meaning' },
  ]
  const headerOf = (scheme: string, source?: string) => {
    const reference: WriteElement[] = [{ tag: 0x00081150, vr: 'UI', value: source ?? '' }]
    const bytes = writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: segmentation },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3' },
      ...(source ? [{ tag: 0x00081115, vr: 'SQ', value: [[{ tag: 0x0008114a, vr: 'SQ', value: [reference] }]] }] : []),
      {
        tag: segments,
        vr: 'SQ',
        value: [
          [
            { tag: 0x00620003, vr: 'SQ', value: [code('85756007', 'SCT')] },
            { tag: 0x0062000f, vr: 'SQ', value: [code('272673000', scheme)] },
          ],
        ],
      },
    ])
    return readDataSet(bytes).dataSet
  }

  it('stays behind where a segment is told by a code of somebody’s own', () => {
    expect(reasonOfHeader(headerOf('99OWN'))).toBe('segmentation')
    expect(reasonOfHeader(headerOf('SCT'))).toBeUndefined()
  })

  it('is looked at where it is of pictures that may hold text, or of nobody knows which', () => {
    expect(mayHoldText(headerOf('SCT', '1.2.840.10008.5.1.4.1.1.4'), segmentation)).toBe(false)
    expect(mayHoldText(headerOf('SCT', '1.2.840.10008.5.1.4.1.1.6.1'), segmentation)).toBe(true)
    expect(mayHoldText(headerOf('SCT'), segmentation)).toBe(true)
  })

  it('of surfaces, whose points stand in the header, stays behind', () => {
    expect(reasonToOmit('1.2.840.10008.5.1.4.1.1.66.5', '1.2.840.10008.1.2.1')).toBe('segmentation')
    expect(reasonToOmit(segmentation, '1.2.840.10008.1.2.1')).toBeUndefined()
  })
})
