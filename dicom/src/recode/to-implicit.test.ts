import { describe, expect, it } from 'vitest'
import { dataSetToJson } from '../json.ts'
import { isCorpusMissing, listCorpus, readCorpusFile } from '../node/corpus.ts'
import { inflate } from '../node/inflate.ts'
import { readDataSet } from '../read.ts'
import { Tag } from '../tags.ts'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '../transfer-syntaxes.ts'
import { concatBytes, writeMeta, writePart10 } from '../write-part10.ts'
import { dataSetOfFile } from './data-set-of-file.ts'
import { toImplicit } from './to-implicit.ts'

async function* pieces(bytes: Uint8Array, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}

async function recode(file: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of toImplicit(dataSetOfFile(pieces(file, 10_007)))) parts.push(part)
  return concatBytes(parts)
}

describe('a data set in Implicit VR', () => {
  it('has the same values, sequences included', async () => {
    const file = writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.2' },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3' },
      { tag: 0x00082112, vr: 'SQ', value: [[{ tag: 0x00081155, vr: 'UI', value: '1.2.3.4' }], []] },
      { tag: Tag.PixelData, vr: 'OW', value: new Uint8Array(40_000).fill(7) },
    ])
    const recoded = await recode(file)
    const { dataSet, pixelOffset = 0 } = readDataSet(concatBytes([writeMeta('1', '2', ImplicitLittleEndian), recoded]))
    expect(dataSetToJson(dataSet)).toEqual(dataSetToJson(readDataSet(file).dataSet))
    expect(dataSet.source.bytes.subarray(pixelOffset + 8)).toEqual(new Uint8Array(40_000).fill(7))
  })

  it('cannot hold compressed pixels, and says so', async () => {
    // pixel data of undefined length, an empty offset table, the end of the fragments
    const fragments = Buffer.from('e07f10004f420000fffffffffeff00e000000000feffdde000000000', 'hex')
    const start = writePart10([{ tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3' }])
    await expect(recode(concatBytes([start, fragments]))).rejects.toThrow('The pixels are compressed')
  })

  it.skipIf(isCorpusMissing)('is the same for every explicit file of the corpus', async () => {
    for (const { path, expected } of [...listCorpus('studies/'), ...listCorpus('charsets/')]) {
      if (expected !== 'accept') continue
      const file = readCorpusFile(path)
      const read = readDataSet(file, { inflate })
      if (read.transferSyntax !== ExplicitLittleEndian) continue
      const recoded = concatBytes([writeMeta('1', '2', ImplicitLittleEndian), await recode(file)])
      const again = readDataSet(recoded)
      expect([path, textsOf(again)]).toEqual([path, textsOf(read)])
      const same = Buffer.from(pixelsOf(again, 8)).equals(pixelsOf(read, 12))
      expect([path, same]).toEqual([path, true])
    }
  })
})

/** Implicit VR cannot tell what the dictionary does not know, so private values are left out. */
function textsOf({ dataSet }: ReturnType<typeof readDataSet>): unknown {
  const json = dataSetToJson(dataSet)
  const standard = Object.entries(json).filter(
    ([tag, { vr }]) => Number(`0x${tag.slice(0, 4)}`) % 2 === 0 && vr !== 'SQ',
  )
  return standard.map(([tag, { Value }]) => [tag, Value ?? null])
}

function pixelsOf({ dataSet, pixelOffset }: ReturnType<typeof readDataSet>, headerBytes: number): Uint8Array {
  if (pixelOffset === undefined) return new Uint8Array()
  const { bytes, view } = dataSet.source
  const valueStart = pixelOffset + headerBytes
  return bytes.subarray(valueStart, valueStart + view.getUint32(valueStart - 4, true))
}
