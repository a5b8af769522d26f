import { corpusFolder, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { describe, expect, test } from 'vitest'
import { readInstance } from './read-instance.ts'

const outcomeOf = (path: string) => readInstance(new Blob([readCorpusFile(path) as Uint8Array<ArrayBuffer>]))

describe.skipIf(isCorpusMissing)(`the corpus at ${corpusFolder}`, () => {
  test('[UPLOAD-05] the studies folder gives 22 studies, 51 series and 767 instances', async () => {
    const found = { studies: new Set<string>(), series: new Set<string>(), instances: new Set<string>() }
    for (const { path } of listCorpus('studies/')) {
      const outcome = await outcomeOf(path)
      if (outcome.kind !== 'instance') continue
      found.studies.add(outcome.header.studyUid)
      found.series.add(outcome.header.seriesUid)
      found.instances.add(outcome.header.sopInstanceUid)
    }
    expect([found.studies.size, found.series.size, found.instances.size]).toEqual([22, 51, 767])
  })

  test('what must be accepted is an instance, what must be rejected has a reason', async () => {
    const wrong: string[] = []
    for (const { path, expected } of listCorpus()) {
      if (path.endsWith('.zip')) continue
      const { kind } = await outcomeOf(path)
      if (expected === 'accept' && kind !== 'instance') wrong.push(`${path} should be an instance`)
      if (expected === 'reject' && kind !== 'skipped') wrong.push(`${path} should be skipped`)
    }
    expect(wrong).toEqual([])
  })

  test('names in every character set arrive decoded', async () => {
    const outcome = await outcomeOf('charsets/chrH31.dcm')
    expect(outcome).toMatchObject({ header: { patientName: 'Yamada^Tarou=山田^太郎=やまだ^たろう' } })
  })

  test('the directory of a disc is told from its images', async () => {
    expect(await outcomeOf('media/fileset-tiny-alpha/DICOMDIR')).toEqual({
      kind: 'skipped',
      reason: { kind: 'directory' },
    })
  })
})
