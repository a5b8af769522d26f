import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { rewritten, type Writing } from '@hilum/dicom/synthetic/rewritten'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { startStorage } from '../../../test/storage-fixture.ts'
import { checkInstances } from '../../areas/ingest/upload-check.sql.ts'

const storage = await startStorage()
const may = ['study_upload', 'study_view', 'study_delete', 'study_delete_image'] as const

const plain: Writing = {
  syntax: 'explicit',
  hasUndefinedLengths: false,
  hasGroupLengths: false,
  hasTrailingPadding: false,
  hasOtherMeta: false,
  hasCutFragments: false,
  hasMoreBlanks: false,
}
const writings: fc.Arbitrary<Writing> = fc.record({
  syntax: fc.constantFrom('explicit', 'implicit', 'bigEndian', 'deflated'),
  hasUndefinedLengths: fc.boolean(),
  hasGroupLengths: fc.boolean(),
  hasTrailingPadding: fc.boolean(),
  hasOtherMeta: fc.boolean(),
  hasCutFragments: fc.boolean(),
  hasMoreBlanks: fc.boolean(),
})

const stored = (namespace: string) =>
  storage.query<{ images: number; conflicts: number; instances: number }>(`
    select t.image_count as images, t.conflict_count as conflicts,
      (select count(*)::integer from instance i where i.study_key = t.key) as instances
    from stored_study t where t.storage_namespace = '${namespace}'`)

describe('the same content in another writing', () => {
  it('is stored once and answered as a success, whichever comes first', async () => {
    const member = await storage.addMember(may)
    await fc.assert(
      fc.asyncProperty(writings, writings, async (first, second) => {
        const file = madeImage({ studyUid: newUid(), number: 1 })
        const one = await uploadImage(storage, member, rewritten(file, first))
        const other = await uploadImage(storage, member, rewritten(file, second))
        expect([one.status, one.body.outcome, other.status, other.body.outcome]).toEqual([
          202,
          'stored',
          202,
          'duplicate',
        ])
        expect(other.body.image_version).toBe(one.body.image_version)
      }),
      { numRuns: 12 },
    )
    expect((await stored(member.namespace)).every((one) => one.conflicts === 0 && one.instances === 1)).toBe(true)
  })

  it('is stored once where both come at the same moment', async () => {
    const member = await storage.addMember(may)
    const studyUid = newUid()
    const all = fc.sample(writings, { numRuns: 6, seed: 3 })
    const sent = [1, 2].flatMap((number) => all.map((one) => rewritten(madeImage({ studyUid, number }), one)))
    const outcomes = (await Promise.all(sent.map((bytes) => uploadImage(storage, member, bytes)))).map(
      ({ body }) => body.outcome,
    )
    expect(outcomes.filter((one) => one === 'stored')).toHaveLength(2)
    expect(outcomes.filter((one) => one === 'duplicate')).toHaveLength(10)
    expect(await stored(member.namespace)).toEqual([{ images: 2, conflicts: 0, instances: 2 }])
  })

  it('is known again by its hash, and as long as it is stored', async () => {
    const member = await storage.addMember(may)
    const studyUid = newUid()
    const file = madeImage({ studyUid, number: 1 })
    const other = rewritten(file, { ...plain, syntax: 'implicit' })
    const sha256 = createHash('sha256').update(other).digest('hex')
    const wanted = { study_uid: studyUid, sop_uid: `${studyUid}.1.1`, size: other.length, sha256 }
    const check = () => checkInstances(storage.db, member.namespace, [wanted])
    await uploadImage(storage, member, file)
    expect(await check()).toEqual(['conflict'])
    expect((await uploadImage(storage, member, other)).body.outcome).toBe('duplicate')
    expect(await check()).toEqual(['have'])
    const address = `${storage.base}/study/${member.namespace}/${studyUid}/image/${studyUid}.1.1?sid=${member.sid}`
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(202)
    expect(await check()).toEqual(['missing'])
    expect((await uploadImage(storage, member, other)).body.outcome).toBe('stored')
  })

  it.skipIf(isCorpusMissing)('is stored once for files of the corpus', async () => {
    const member = await storage.addMember(may)
    const files = listCorpus('transfer-syntaxes/').filter(
      ({ expected, path }) => expected === 'accept' && readCorpusFile(path).length < 500_000 && !/big/i.test(path),
    )
    expect(files.length).toBeGreaterThan(5)
    const wrong: unknown[] = []
    for (const { path } of files.slice(0, 20)) {
      const first = await uploadImage(storage, member, readCorpusFile(path))
      const other = rewritten(readCorpusFile(path), {
        ...plain,
        hasGroupLengths: true,
        hasUndefinedLengths: true,
        hasCutFragments: true,
      })
      const again = await uploadImage(storage, member, other)
      if (again.body.outcome !== 'duplicate') wrong.push([path, first.body.outcome, again.body])
    }
    expect(wrong).toEqual([])
  })
})

describe('another content', () => {
  it('is kept beside the first, and says in what it differs', async () => {
    const member = await storage.addMember(may)
    const studyUid = newUid()
    const file = madeImage({ studyUid, number: 1 })
    await uploadImage(storage, member, file)
    const renamed = rewritten(file, { ...plain, syntax: 'implicit' }, ({ tag, value }) =>
      tag === Tag.PatientName ? new TextEncoder().encode('Made^Otherwise') : value,
    )
    const repainted = rewritten(file, plain, ({ tag, value }) => {
      if (tag === Tag.PixelData) value[77] = 1
      return value
    })
    expect((await uploadImage(storage, member, renamed)).body.outcome).toBe('conflict')
    expect((await uploadImage(storage, member, repainted)).body.outcome).toBe('conflict')
    const rows = await storage.query(
      `select differs from instance where storage_namespace = '${member.namespace}' order by seq`,
    )
    expect(rows).toEqual([
      { differs: null },
      { differs: { attributes: ['00100010'], attribute_count: 1, pixels: false, frames: [] } },
      { differs: { attributes: [], attribute_count: 0, pixels: true, frames: [0] } },
    ])
    expect(await stored(member.namespace)).toEqual([{ images: 1, conflicts: 2, instances: 3 }])
  })
})
