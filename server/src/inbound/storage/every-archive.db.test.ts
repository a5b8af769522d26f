import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type CorpusFile, isCorpusMissing, listCorpus } from '@hilum/dicom/node/corpus'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDicomweb } from '../../../test/dicomweb-fixture.ts'
import type { Member } from '../../../test/storage-fixture.ts'

/** Files taken of each study: its other series differ little, and its other slices less. */
const MOST_FILES = 3

const server = await startDicomweb()
const run = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'hilum-judges-'))
afterAll(() => rm(work, { recursive: true }))

const accepted = listCorpus('studies/').filter((file) => file.expected === 'accept')
const studies = new Map(
  [...Map.groupBy(accepted, (file) => file.study_uid ?? '')].map(([study, files]) => [study, spread(files)]),
)

/** Some of the files, from all parts of the list. */
function spread(files: readonly CorpusFile[]): CorpusFile[] {
  const step = Math.max(1, Math.ceil(files.length / MOST_FILES))
  return files.filter((_, index) => index % step === 0)
}

let member: Member
beforeAll(async () => {
  member = await server.addMember(['study_upload', 'study_view', 'study_download'])
  for (const files of studies.values())
    await server.upload(
      member,
      files.map((file) => file.path),
    )
})

async function downloadZip(study: string): Promise<Buffer> {
  const path = `study/${member.namespace}/${study}/download?bundle=dicom&sid=${member.sid}`
  const reply = await fetch(`${server.base}/${path}&phi_namespace=${member.namespace}`)
  expect([study, reply.status]).toEqual([study, 200])
  return Buffer.from(await reply.arrayBuffer())
}

describe.skipIf(isCorpusMissing)('the archive of every study of the corpus', () => {
  test('holds files and a DICOMDIR that DCMTK calls sound', async () => {
    for (const [study, files] of studies) {
      const folder = await mkdtemp(join(work, 'zip-'))
      await writeFile(join(folder, 'study.zip'), await downloadZip(study))
      await run('unzip', ['-q', 'study.zip', '-d', 'out'], { cwd: folder })
      const { stdout } = await run('unzip', ['-Z1', 'study.zip'], { cwd: folder })
      const names = stdout.trim().split('\n')
      expect([study, names.length]).toEqual([study, files.length + 1])
      const out = { cwd: join(folder, 'out') }
      await run('dcmftest', names, out)
      const listed = await run('dcmdump', ['+P', '0004,1500', 'DICOMDIR'], out)
      const ids = [...listed.stdout.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1]?.replaceAll('\\', '/'))
      expect([study, ids.toSorted()]).toEqual([study, names.filter((name) => name !== 'DICOMDIR').toSorted()])
      await rm(folder, { recursive: true })
    }
  })
})
