import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { corpusFolder } from '@hilum/dicom/node/corpus'
import { readHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { encodeRaw } from '@hilum/dicom/write-part10'
import { syntheticSlice } from './synthetic-slice.ts'

/** Images that share their pixels and differ in their UIDs and numbers. */
export type CtSet = {
  patientId: string
  studyUid: string
  seriesUid: string
  sopUids: readonly string[]
  /** Of all files together. */
  bytes: number
  /** One file, in two parts: its own beginning, and the pixels that all share. */
  file: (index: number) => readonly [Uint8Array, Uint8Array]
}

const sliceOfCorpus = join(corpusFolder, 'studies', 'ct-head-phantom-visit1', 'series201', 'IM0001.dcm')

/** Where the images come from, for the results. */
export const ctSource = existsSync(sliceOfCorpus)
  ? 'one 512×512 CT slice of the test corpus'
  : 'one 512×512 CT slice drawn by our own code'

/**
 * One study of one series of 512×512 CT images (about 530 kB each, uncompressed) from a single slice.
 * @param seed the same seed gives the same files again
 */
export async function makeCtSet(seed: string, count = 1000): Promise<CtSet> {
  const slice = existsSync(sliceOfCorpus) ? await readFile(sliceOfCorpus) : syntheticSlice()
  const read = readHeader(slice, { untilPixelData: true })
  if (read.kind !== 'header') throw new Error('The slice has no header')
  const { header } = read
  const { pixelOffset = 0, dataSet, sopInstanceUid } = header
  const uid = (name: string) => uidOfLength(`${seed}/${name}`, sopInstanceUid.length)
  const [patientId, studyUid, seriesUid] = [`BENCH-${seed}`, uid('study'), uid('series')]
  const sopUids = Array.from({ length: count }, (_, index) => uid(`image/${index}`))
  const pixels = slice.subarray(pixelOffset)
  const beginnings = sopUids.map((sopUid, index) => {
    const values: [number, string, string][] = [
      [Tag.SOPInstanceUID, 'UI', sopUid],
      [Tag.PatientID, 'LO', patientId],
      [Tag.StudyInstanceUID, 'UI', studyUid],
      [Tag.SeriesInstanceUID, 'UI', seriesUid],
      [Tag.InstanceNumber, 'IS', String(index + 1)],
    ]
    const parts: Uint8Array[] = []
    let position = 0
    for (const [tag, vr, text] of values) {
      const element = dataSet.elements.get(tag)
      if (!element) throw new Error('The slice lacks an identifier')
      const encoded = encodeRaw(tag, vr, Buffer.from(text), dataSet.source.encoding)
      parts.push(slice.subarray(position, element.start), encoded)
      position = element.end
    }
    const beginning = Buffer.concat([...parts, slice.subarray(position, pixelOffset)])
    // the UID in group 0002 has the same length, so nothing moves
    beginning.write(sopUid, beginning.indexOf(sopInstanceUid, 0, 'latin1'), 'latin1')
    return beginning
  })
  return {
    patientId,
    studyUid,
    seriesUid,
    sopUids,
    bytes: beginnings.reduce((sum, one) => sum + one.length + pixels.length, 0),
    file: (index) => [beginnings[index] ?? new Uint8Array(), pixels],
  }
}

/** Writes the set as files, for senders that read them from disk. */
export async function writeCtSet(set: CtSet, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const index of set.sopUids.keys()) {
    const name = `IM${String(index + 1).padStart(6, '0')}.dcm`
    await writeFile(join(folder, name), Buffer.concat(set.file(index)))
  }
}

/** A UID under the arc for examples (2.999) that has just this many characters. */
function uidOfLength(name: string, length: number): string {
  const digits = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`).toString()
  return `2.999.1${digits}${digits}`.slice(0, length)
}
