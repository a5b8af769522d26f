import { expect, test } from 'vitest'
import { isCorpusMissing, listCorpus, sampleCorpus } from './corpus.ts'

test.skipIf(isCorpusMissing)(
  'a sample of the corpus leaves out slices alone: files of no series and of every shape are in it',
  () => {
    const sample = sampleCorpus()
    const paths = new Set(sample.map(({ path }) => path))
    const left = listCorpus().filter(({ path }) => !paths.has(path))
    expect(left.filter(({ series_uid }) => series_uid === '').map(({ path }) => path)).toEqual([])
    const shapeOf = ({ series_uid, sop_class, transfer_syntax, rows, columns }: (typeof left)[number]) =>
      [series_uid, sop_class, transfer_syntax, rows, columns].join(' ')
    const shapes = new Set(sample.map(shapeOf))
    expect(left.filter((file) => !shapes.has(shapeOf(file))).map(({ path }) => path)).toEqual([])
  },
)
