import { corpusFolder, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { expect, test } from 'vitest'
import { findMissingOnDisc, listFileIds } from './disc-directory.ts'

const ids = (path: string) => listFileIds(readCorpusFile(path))

test.skipIf(isCorpusMissing)(
  `[UPLOAD-25] the directory of a disc of ${corpusFolder} names its files, and misses those that were not copied`,
  async () => {
    const folder = 'media/fileset-tiny-alpha/'
    const paths = listCorpus(folder).map(({ path }) => path)
    const file = new File([readCorpusFile(`${folder}DICOMDIR`) as Uint8Array<ArrayBuffer>], 'DICOMDIR')
    const directory = { path: `${folder}DICOMDIR`, file }
    expect(await findMissingOnDisc([directory], new Set(paths))).toEqual([])
    const lower = new Set(paths.map((path) => `${path.toLowerCase()};1`))
    expect(await findMissingOnDisc([{ ...directory, path: directory.path.toLowerCase() }], lower)).toEqual([])
    const image = paths.find((path) => path.endsWith('IM000000')) ?? ''
    expect(await findMissingOnDisc([directory], new Set(paths.filter((path) => path !== image)))).toEqual([
      { path: image, sizeBytes: 0, reason: { kind: 'not-on-disc' } },
    ])
  },
)

test.skipIf(isCorpusMissing)(
  'directories in other encodings and with wrong offsets tell their files, an empty one none',
  () => {
    const folder = 'media/dicomdir-variants/'
    const counts = ['DICOMDIR-implicit', 'DICOMDIR-nooffset', 'DICOMDIR-reordered'].map(
      (name) => ids(folder + name).size,
    )
    for (const count of counts) expect(count).toBeGreaterThan(10)
    expect(ids(`${folder}DICOMDIR-empty.dcm`).size).toBe(0)
  },
)

test('what is no directory tells nothing, whatever lengths it gives', () => {
  const bytes = new Uint8Array([4, 0, 0, 0x15, 0x43, 0x53, 0xff, 0xff, 4, 0, 0, 0x15, 0, 0, 0, 0x80, 4, 0, 0, 0x15])
  expect(listFileIds(bytes).size).toBe(0)
})
