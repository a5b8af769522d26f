import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import { expect, it, onTestFinished } from 'vitest'
import { SmallDisk } from './proof/small-disk.ts'
import { listStudies, openSession } from './support/call.ts'
import { makeFolder } from './support/corpus.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, confirmUpload, openWizard } from './support/wizard.ts'

const { newPerson, server } = useSystem()
const imageAddress = /\/storage\/namespace\/[^/]+\/image/
const [files, pixelBytes] = [40, 200_000]
/** Images that the server may take before its disk is full. */
const early = 10
const mayMount = process.getuid?.() === 0 && existsSync('/dev/loop-control')

/** Puts the objects of the running server on a disk of their own, until the test has ended. */
async function moveObjectsToSmallDisk(): Promise<SmallDisk> {
  const objects = join(server().dataFolder, 'objects')
  const aside = await mkdtemp(join(tmpdir(), 'hilum-objects-'))
  const copy = join(aside, 'copy')
  await cp(objects, copy, { recursive: true })
  const disk = new SmallDisk(join(aside, 'disk'), objects)
  await disk.make(400)
  onTestFinished(async () => {
    await disk.unmount()
    await rm(aside, { recursive: true, force: true })
  })
  await cp(copy, objects, { recursive: true })
  return disk
}

async function writeStudy(folder: string, studyUid: string): Promise<void> {
  const seriesUid = newUid()
  for (let number = 1; number <= files; number += 1) {
    const image = writePart10([
      { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
      { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
      { tag: Tag.StudyDate, vr: 'DA', value: '20260102' },
      { tag: Tag.Modality, vr: 'CS', value: 'OT' },
      { tag: Tag.PatientName, vr: 'PN', value: 'Full^Disk' },
      { tag: Tag.PatientID, vr: 'LO', value: 'FULL' },
      { tag: Tag.PatientBirthDate, vr: 'DA', value: '19700101' },
      { tag: Tag.StudyInstanceUID, vr: 'UI', value: studyUid },
      { tag: Tag.SeriesInstanceUID, vr: 'UI', value: seriesUid },
      { tag: Tag.InstanceNumber, vr: 'IS', value: String(number) },
      ...pixelElements({ rows: 1, columns: pixelBytes }, new Uint8Array(pixelBytes).fill(number)),
    ])
    await writeFile(join(folder, `IM${number}`), image)
  }
}

it.skipIf(!mayMount)(
  '[UPLOAD-13] an upload whose server has its disk full in the middle says so, and goes on by itself when there is room',
  async () => {
    const { page, forgive } = await newPerson()
    // the browser notes each refusal of the server
    forgive(/status of 507/)
    await signIn(page, 'clinician')
    const disk = await moveObjectsToSmallDisk()
    const folder = makeFolder()
    onTestFinished(folder.remove)
    const studyUid = newUid()
    await writeStudy(folder.path, studyUid)
    const [reached, filled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let asked = 0
    await page.route(imageAddress, async (route) => {
      asked += 1
      if (asked > early) {
        reached.resolve()
        await filled.promise
      }
      await route.continue()
    })
    const found = async () => {
      const sid = await openSession(server().address, 'clinician')
      const study = (await listStudies(server().address, sid)).find((one) => one.study_uid === studyUid)
      return study && { images: study.image_count, arrival: study.arrival }
    }
    await openWizard(page, 'Outpatient Imaging')
    await browseFor(page, folder.path)
    await confirmUpload(page)
    await reached.promise
    await disk.fill()
    filled.resolve()
    await page
      .getByText(
        'The server has no room left. What has arrived stays, and the upload goes on by itself when there is room.',
      )
      .waitFor({ timeout: 30_000 })
    await takeShots(page, 'upload-disk-full')
    expect((await found())?.images).toBeLessThanOrEqual(early)
    // people go on to work on the full disk, and are told beside Upload
    await page.getByText('Waiting for room on the server').waitFor()
    await disk.free()
    await page.getByText('Exams were uploaded').waitFor({ timeout: 120_000 })
    await page.getByText(`${files} files of 1 study arrived, and the list of the server agrees with yours.`).waitFor()
    expect(await found()).toEqual({ images: files, arrival: 'complete' })
  },
)
