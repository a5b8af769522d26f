import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { newUid } from '@hilum/dicom/uid'
import { afterAll, describe, expect, test } from 'vitest'
import { emptyDatabase, exportFrom, importInto, workFolder } from '../../test/export-fixture.ts'
import { madeImage, uploadImage } from '../../test/made-image.ts'
import { startStorage } from '../../test/storage-fixture.ts'

const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('Only root can mount a small disk: the test of a full backup disk did NOT run\n')

describe.skipIf(!isRoot)('a full disk', async () => {
  const source = await startStorage()
  const target = await emptyDatabase()
  const place = await workFolder()
  const disks = [place('export-disk'), place('import-disk')]
  for (const disk of disks) {
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'none', disk])
  }
  afterAll(() => {
    for (const disk of disks) execFileSync('umount', [disk])
  })
  const enlarge = (disk: string) => execFileSync('mount', ['-o', 'remount,size=50m', disk])

  test('is said in words by export and import, and both go on when there is room', async () => {
    const member = await source.addMember(['study_upload'])
    const studyUid = newUid()
    for (let number = 1; number <= 10; number++)
      await uploadImage(source, member, madeImage({ studyUid, number, frames: 256 }))
    const [exportDisk = '', importDisk = ''] = disks
    const folder = `${exportDisk}/export`
    await expect(exportFrom(source, folder)).rejects.toThrow(/The objects need 0\.\d\d GB, and the disk of/)
    // as if the room had gone only after it was measured
    await expect(exportFrom(source, folder)).rejects.toThrow(/The disk of .* is full/)
    enlarge(exportDisk)
    expect(await exportFrom(source, folder)).toMatchObject({ objects: { count: 10 }, faults: [] })

    const into = { url: target, folder: `${importDisk}/data` }
    await expect(importInto(into, folder)).rejects.toThrow(/The disk of .* is full/)
    enlarge(importDisk)
    expect(await importInto(into, folder)).toMatchObject({ faults: 0 })
  })
})
