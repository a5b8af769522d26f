import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findText } from '@hilum/dicom/values'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { makeDisc, makeImage } from './support/made-disc.ts'
import { openTab } from './support/panel.ts'
import { hasOrthanc, startOrthanc } from './support/peers.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { findFreePort } from './support/start-server.ts'
import { useSystem } from './support/system.ts'
import { browseFor, confirmUpload, openWizard } from './support/wizard.ts'

/* The whole way with Orthanc as the hospital's PACS: from an outside disc into it under the hospital's numbers, and back. */

let dicomPort = 0
const { newPerson, server } = useSystem(async () => {
  dicomPort = await findFreePort()
  return { HILUM_DICOM_PORT: String(dicomPort) }
})
const folder = mkdtempSync(join(tmpdir(), 'hilum-gate-orthanc-'))
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  rmSync(folder, { recursive: true, force: true })
})

const gateway = 'Hospital PACS Gateway'
const person = { name: 'HAALAND^INGRID', birthDate: '19680930', sex: 'F' }
let sid: string
let orthanc: { address: string; dicomPort: number }
let groupOf: (name: string) => { uuid: string; namespace_id: string }
const ask = (path: string, input: object = {}) => callWell(server().address, path, { sid, ...input })
const press = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true }).click()

beforeAll(async () => {
  if (!hasOrthanc) return
  orthanc = await startOrthanc({ folder, stops }, { hilum: ['HILUM_NODE', '127.0.0.1', dicomPort] })
  sid = await openSession(server().address, 'administrator')
  const { accounts } = (await ask('account/list')) as { accounts: { uuid: string }[] }
  const account = { account_id: accounts[0]?.uuid }
  const { groups } = (await ask('group/list', account)) as {
    groups: { uuid: string; name: string; namespace_id: string }[]
  }
  groupOf = (name) => {
    const found = groups.find((one) => one.name === name)
    if (!found) throw new Error(`The demo has no group ${name}`)
    return found
  }
  await ask('group/set', { uuid: groupOf(gateway).uuid, inbox_config: { pacs_promote_preference: 'MWL' } })
  await ask('destination/add', {
    ...account,
    name: 'Orthanc',
    aetitle: 'ORTHANC',
    address: '127.0.0.1',
    port: orthanc.dicomPort,
    can_push: 1,
    can_search: 1,
    can_query_retrieve: 1,
    retrieve_method: 'move',
  })
  await ask('order/add', {
    ...account,
    namespace_id: groupOf(gateway).namespace_id,
    patient_name: person.name,
    patient_birth_date: person.birthDate,
    patient_sex: person.sex,
    patientid: 'NS-200300',
    accession_number: 'NS26-0300',
  })
}, 120_000)

/** The study that Orthanc holds under a UID, by its REST interface. */
async function heldByOrthanc(studyUid: string) {
  const reply = await fetch(`${orthanc.address}/tools/find`, {
    method: 'POST',
    body: JSON.stringify({ Level: 'Study', Expand: true, Query: { StudyInstanceUID: studyUid } }),
  })
  return (await reply.json()) as {
    PatientMainDicomTags: Record<string, string>
    MainDicomTags: Record<string, string>
    Series: string[]
  }[]
}

/** The MRNs that the images of a study in Orthanc had before, by their Original Attributes Sequence (PS3.3 C.12.1.1.9). */
async function formerNumbersIn(studyUid: string): Promise<string[]> {
  const read = async (path: string): Promise<unknown> => (await fetch(`${orthanc.address}${path}`)).json()
  const ids = (await read('/instances')) as string[]
  const images = (await Promise.all(ids.map((id) => read(`/instances/${id}/tags?simplify`)))) as {
    StudyInstanceUID: string
    OriginalAttributesSequence?: { ModifiedAttributesSequence: { PatientID?: string }[] }[]
  }[]
  return images
    .filter((one) => one.StudyInstanceUID === studyUid)
    .map((one) => one.OriginalAttributesSequence?.[0]?.ModifiedAttributesSequence[0]?.PatientID ?? '')
}

/** The reviewer sends the matched exam to Orthanc; both groups see it sent. */
async function sendToOrthanc(reviewer: Page, sender: Page): Promise<void> {
  await reviewer.getByRole('table', { name: 'Comparison of the patient' }).waitFor()
  const risk = reviewer.getByRole('checkbox', { name: /this is the patient/ })
  if (await risk.isVisible()) await risk.check()
  await reviewer.getByRole('combobox', { name: /Destination system/ }).selectOption('Orthanc')
  await press(reviewer, 'Send to PACS')
  await sender.getByText(/^Sent to Orthanc/).waitFor()
  await reviewer.getByText(/^Sent to Orthanc/).waitFor()
}

/** The patient and accession number of every image of a record as it came. */
async function originalsOf({ uuid }: ListedStudy): Promise<(string | undefined)[][]> {
  const study = (await ask('study/get', { uuid })) as never as ListedStudy & { storage_namespace: string }
  const names = `${study.storage_namespace}/${study.study_uid}`
  const schema = (await (
    await fetch(
      `${server().address}/api/v3/storage/study/${names}/schema?phi_namespace=${study.phi_namespace}&sid=${sid}`,
    )
  ).json()) as { series: { images: { id: string; version: string }[] }[] }
  const images = schema.series.flatMap((series) => series.images)
  return Promise.all(
    images.map(async ({ id, version }) => {
      const file = await fetch(
        `${server().address}/api/v3/storage/study/${names}/image/${id}/version/${version}?phi_namespace=${study.phi_namespace}&as_received=1&sid=${sid}`,
      )
      const { dataSet } = readDataSet(new Uint8Array(await file.arrayBuffer()))
      return [findText(dataSet, Tag.PatientID), findText(dataSet, 0x00080050)]
    }),
  )
}

/** An exam from an outside disc, nominated, and opened by a reviewer at the first step of processing. */
async function nominateFromDisc(patient: { name: string; mrn: string; birthDate: string; sex: string }) {
  const disc = makeDisc({ ...patient, issuer: 'LAKESIDE', description: 'Hip from outside' })
  onTestFinished(() => disc.remove())
  const { page: sender } = await newPerson()
  const { page: reviewer } = await newPerson()
  await Promise.all([signIn(sender, 'administrator'), signIn(reviewer, 'reviewer')])
  await openWizard(sender, 'Emergency Department')
  await browseFor(sender, disc.path)
  await confirmUpload(sender)
  await sender.getByText('Exams were uploaded').waitFor()
  const outside = (await listStudies(server().address, sid)).find((one) => one.patient_name === patient.name)
  if (!outside) throw new Error('The exam of the disc is not there')
  await openTab(sender, outside.uuid, 'pacs')
  await sender.getByRole('combobox', { name: /Reason/ }).selectOption('Second opinion')
  await press(sender, 'Nominate')
  await sender.getByText('The group has not decided yet.').waitFor()
  const nominated = (await listStudies(server().address, sid)).find(
    (one) => one.study_uid === outside.study_uid && one.phi_namespace_name === gateway,
  )
  await reviewer.locator(`[data-card="${nominated?.uuid}"]`).click()
  await reviewer.getByRole('tab', { name: 'Process' }).click()
  await press(reviewer, 'Process')
  return { sender, reviewer, outside, nominated }
}

describe.skipIf(!hasOrthanc)('[RETRIEVE-01][NOMINATE-01][PROCESS-01] the whole way with Orthanc as PACS', () => {
  it('[PROCESS-11][CONST-05] goes from an outside disc into Orthanc under the hospital’s MRN and accession number, and comes back by C-MOVE', async () => {
    const { sender, reviewer, outside, nominated } = await nominateFromDisc({ ...person, mrn: 'L-88' })
    await reviewer.getByRole('combobox', { name: 'Search by' }).selectOption('Patient name')
    const search = reviewer.getByRole('form', { name: 'Search Order' })
    await search.getByRole('textbox', { name: 'Value' }).fill('haaland')
    await search.getByRole('button', { name: 'Search' }).click()
    await press(reviewer, 'Select HAALAND, INGRID, NS26-0300')
    await sendToOrthanc(reviewer, sender)

    const [held] = await heldByOrthanc(outside.study_uid)
    expect(held).toMatchObject({
      PatientMainDicomTags: { PatientID: 'NS-200300', PatientName: person.name, PatientBirthDate: person.birthDate },
      MainDicomTags: { AccessionNumber: 'NS26-0300' },
    })
    expect(held?.Series).toHaveLength(1)
    // each image there says what it came with
    expect(await formerNumbersIn(outside.study_uid)).toEqual(['L-88'])
    // inside, the images are as they came, in the place of the sender and in that of the reviewer
    expect(await originalsOf(outside)).toEqual([['L-88', undefined]])
    expect(await originalsOf(nominated as ListedStudy)).toEqual([['L-88', undefined]])

    await sender.goto(`/study/retrieve/${groupOf('Outpatient Imaging').uuid}`)
    await sender.getByRole('checkbox', { name: 'Orthanc', exact: true }).check()
    await sender.getByRole('textbox', { name: 'Accession number' }).fill('NS26-0300')
    await sender.getByRole('button', { name: 'Search', exact: true }).click()
    const results = sender.getByRole('region', { name: 'Found exams' })
    const exam = results.getByRole('checkbox', { name: /^Select the exam Hip from outside/ })
    await exam.waitFor()
    const patient = results.locator('details')
    const sizeOf = async (one: ReturnType<typeof patient.locator>) => {
      const box = await one.boundingBox()
      return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]
    }
    await sender.setViewportSize({ width: 1600, height: 900 })
    expect((await sizeOf(patient))[0]).toBe(899)
    expect((await sizeOf(patient.locator('summary')))[1]).toBe(90)
    expect((await sizeOf(patient.locator('li')))[1]).toBe(42)
    await takeShots(sender, 'gate-orthanc-found')
    expect(await findBarriers(sender)).toEqual([])
    await exam.check()
    await sender.getByRole('button', { name: 'Retrieve 1 exam' }).click()
    await results.getByText('Retrieved', { exact: true }).waitFor()
    const back = (await listStudies(server().address, sid)).find(
      (one) => one.phi_namespace_name === 'Outpatient Imaging' && one.study_uid === outside.study_uid,
    )
    expect(back).toMatchObject({ patientid: 'NS-200300', image_count: 1, accession_number: 'NS26-0300' })
    expect(await ask('study/get', { uuid: back?.uuid })).toMatchObject({ source_ae_title: 'ORTHANC' })
    await takeShots(sender, 'gate-orthanc-retrieved')
  })

  it('[PROCESS-09][PROCESS-10] looks a person up in Orthanc by C-FIND, and sends the exam as that person without an accession number', async () => {
    const known = { name: 'OYELARAN^TUNDE', birthDate: '19550719', sex: 'M' }
    const body = Buffer.from(makeImage({ ...known, mrn: 'NS-400500', description: 'Hip of before' }))
    expect((await fetch(`${orthanc.address}/instances`, { method: 'POST', body })).status).toBe(200)
    const findBy = (mode: string) =>
      ask('group/set', { uuid: groupOf(gateway).uuid, inbox_config: { pacs_promote_preference: mode } })
    await findBy('CFIND')
    onTestFinished(async () => void (await findBy('MWL')))
    const { sender, reviewer, outside, nominated } = await nominateFromDisc({ ...known, mrn: 'L-99' })
    const search = reviewer.getByRole('form', { name: 'Search Patient' })
    await search.getByRole('combobox', { name: 'Destination system' }).selectOption('Orthanc')
    const patientId = search.getByRole('textbox', { name: 'Patient ID' })
    const find = async (mrn: string) => {
      await patientId.fill(mrn)
      await search.getByRole('button', { name: 'Search' }).click()
    }
    await find('NS-NOBODY')
    await reviewer.getByText('No patient was found.').waitFor()
    await find('NS-400500')
    await reviewer.getByText('1 result', { exact: true }).waitFor()
    expect(await findBarriers(reviewer)).toEqual([])
    await takeShots(reviewer, 'gate-orthanc-person')
    await reviewer
      .locator('main')
      .getByRole('button', { name: /^Select OYELARAN, TUNDE/ })
      .click()
    await sendToOrthanc(reviewer, sender)
    const [held] = await heldByOrthanc(outside.study_uid)
    expect(held).toMatchObject({
      PatientMainDicomTags: { PatientID: 'NS-400500', PatientName: known.name, PatientBirthDate: known.birthDate },
    })
    expect(held?.MainDicomTags['AccessionNumber'] ?? '').toBe('')
    expect(await originalsOf(nominated as ListedStudy)).toEqual([['L-99', undefined]])
  })
})
