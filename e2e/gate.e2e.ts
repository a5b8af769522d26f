import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { makeDisc, makeImage } from './support/made-disc.ts'
import { openTab } from './support/panel.ts'
import { hasToolkit, startStorescp } from './support/peers.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { sendStudy } from './support/viewed-study.ts'
import { browseFor, confirmUpload, openWizard } from './support/wizard.ts'

/* From a nomination to the PACS: a clinician nominates, a reviewer matches, rejects and sends. */

const { newPerson, server } = useSystem()
const folder = mkdtempSync(join(tmpdir(), 'hilum-gate-'))
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Of another person than the study it is chosen for. */
const order = { patient_name: 'ROE^RICHARD', patientid: 'H-99', patient_birth_date: '19500505', patient_sex: 'M' }
const gateway = 'Hospital PACS Gateway'
let sid: string
let received: string
let echo: ListedStudy
let ct: ListedStudy
/** Of another patient than the others, with an order. */
let ordered: ListedStudy
let orderId: string
const ask = (path: string, input: object = {}) => callWell(server().address, path, { sid, ...input })

beforeAll(async () => {
  sid = await openSession(server().address, 'administrator')
  if (!hasToolkit) return
  const studies = await listStudies(server().address, sid)
  const find = (name: RegExp, images: number) =>
    studies.find((s) => name.test(s.patient_name) && s.image_count === images)
  const [one, two] = [find(/^O'Connor/, 1), find(/^Müller/, 20)]
  const three = studies.find((s) => s.phi_namespace_name === one?.phi_namespace_name && ![one, two].includes(s))
  if (!one || !two || !three) throw new Error('The demo lacks a study')
  echo = one
  ct = two
  ordered = three
  const store = await startStorescp({ folder, stops }, ['+xa'])
  received = store.folder
  const { accounts } = (await ask('account/list')) as { accounts: { uuid: string }[] }
  const account = { account_id: accounts[0]?.uuid }
  const { groups } = (await ask('group/list', account)) as {
    groups: { uuid: string; name: string; namespace_id: string }[]
  }
  const gate = groups.find(({ name }) => name === gateway)
  await ask('group/set', { uuid: gate?.uuid, inbox_config: { pacs_promote_preference: 'MWL' } })
  const place = { address: '127.0.0.1', port: store.port, aetitle: 'STORE' }
  await ask('destination/add', { ...account, ...place, name: 'MAIN_PACS', can_push: 1, push_unchecked: 1 })
  // a storage that cannot be asked first is sent nothing
  await ask('destination/add', {
    ...account,
    ...place,
    aetitle: 'CLOSED',
    name: 'CLOSED_PACS',
    can_push: 1,
  })
  const orders = { ...account, namespace_id: gate?.namespace_id }
  await ask('order/add', { ...orders, ...order, accession_number: 'ACC-3' })
  const { patient_name } = ordered
  const own = { patient_name, patientid: 'H-33', accession_number: 'ACC-4' }
  orderId = ((await ask('order/add', { ...orders, ...own })) as { uuid: string }).uuid
}, 60_000)

const press = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true }).click()
const expectNoBarriers = async (page: Page) => expect(await findBarriers(page)).toEqual([])
/** The uuid of a nominated study's record in the gatekeeper group. */
async function recordOf({ study_uid: uid }: ListedStudy): Promise<string> {
  const studies = await listStudies(server().address, sid)
  return studies.find((one) => one.study_uid === uid && one.phi_namespace_name === gateway)?.uuid ?? ''
}
/** Opens the record of a nominated study from the list of the gatekeeper group, once it is there. */
async function openNominated(page: Page, study: ListedStudy): Promise<void> {
  await page.locator(`[data-card="${await recordOf(study)}"]`).click()
  await page.getByRole('tab', { name: 'Process' }).click()
}

async function nominate(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: /Reason/ }).selectOption('Second opinion')
  await press(page, 'Nominate')
  await page.getByText('The group has not decided yet.').waitFor()
}

it('[RETRIEVE-01][UPLOAD-01][PROCESS-11] goes from an outside disc into the demo PACS and back, with nothing but the demo', async () => {
  const person = { name: 'SOLBERG^NINA', birthDate: '19790418', sex: 'F' }
  const disc = makeDisc({ ...person, mrn: 'L-77', issuer: 'LAKESIDE', description: 'Knee from outside' })
  onTestFinished(() => disc.remove())
  const { accounts } = (await ask('account/list')) as { accounts: { uuid: string }[] }
  const account = { account_id: accounts[0]?.uuid }
  const { groups } = (await ask('group/list', account)) as {
    groups: { uuid: string; name: string; namespace_id: string }[]
  }
  const groupOf = (name: string) => groups.find((one) => one.name === name)
  const ordered = { patient_name: person.name, patient_birth_date: person.birthDate, patient_sex: person.sex }
  await ask('order/add', {
    ...account,
    ...ordered,
    namespace_id: groupOf(gateway)?.namespace_id,
    patientid: 'NS-200100',
    accession_number: 'NS26-0100',
  })

  const { page: administrator } = await newPerson()
  const { page: reviewer } = await newPerson()
  await Promise.all([signIn(administrator, 'administrator'), signIn(reviewer, 'reviewer')])
  await openWizard(administrator, 'Emergency Department')
  await browseFor(administrator, disc.path)
  await confirmUpload(administrator)
  await administrator.getByText('Exams were uploaded').waitFor()
  const outside = (await listStudies(server().address, sid)).find((one) => one.patient_name === person.name)
  if (!outside) throw new Error('The exam of the disc is not there')
  await openTab(administrator, outside.uuid, 'pacs')
  await nominate(administrator)

  await openNominated(reviewer, outside)
  await press(reviewer, 'Process')
  await reviewer.getByRole('combobox', { name: 'Search by' }).selectOption('Patient name')
  const search = reviewer.getByRole('form', { name: 'Search Order' })
  await search.getByRole('textbox', { name: 'Value' }).fill('solberg')
  await search.getByRole('button', { name: 'Search' }).click()
  await press(reviewer, 'Select SOLBERG, NINA, NS26-0100')
  await reviewer.getByRole('table', { name: 'Comparison of the patient' }).waitFor()
  const risk = reviewer.getByRole('checkbox', { name: /this is the patient/ })
  if (await risk.isVisible()) await risk.check()
  await reviewer.getByRole('combobox', { name: /Destination system/ }).selectOption('Demo PACS')
  await press(reviewer, 'Send to PACS')
  await administrator.getByText(/^Sent to Demo PACS/).waitFor()

  await administrator.goto(`/study/retrieve/${groupOf('Outpatient Imaging')?.uuid}`)
  await administrator.getByRole('textbox', { name: 'Accession number' }).fill('NS26-0100')
  await administrator.getByRole('button', { name: 'Search', exact: true }).click()
  await administrator.getByRole('checkbox', { name: /^Select the exam Knee from outside/ }).check()
  await administrator.getByRole('button', { name: 'Retrieve 1 exam' }).click()
  await administrator.getByText('Retrieved', { exact: true }).waitFor()
  await takeShots(administrator, 'gate-retrieved')
  await expectNoBarriers(administrator)
  const back = (await listStudies(server().address, sid)).find(
    (one) => one.phi_namespace_name === 'Outpatient Imaging' && one.study_uid === outside.study_uid,
  )
  expect(back).toMatchObject({ patientid: 'NS-200100', image_count: 1 })
})

/** Accession number and MRN of each image that the storage received, '' where it names none. */
async function readReceived(): Promise<string[][]> {
  const files = readdirSync(received).map((name) => join(received, name))
  const read = async (tag: string, file: string) => {
    const { stdout } = await promisify(execFile)('dcmdump', ['+P', tag, file])
    return /\[(.*)\]/.exec(stdout)?.[1] ?? ''
  }
  return Promise.all(files.map((file) => Promise.all(['AccessionNumber', 'PatientID'].map((tag) => read(tag, file)))))
}

/** Opens the dialog behind Details, and goes back. */
async function lookAtDetails(page: Page, title: string): Promise<void> {
  await press(page, 'Details')
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  await expectNoBarriers(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

describe.skipIf(!hasToolkit)('[NOMINATE-01][PROCESS-01] the way into the PACS', () => {
  it('[NOMINATE-05][PROCESS-11][PROCESS-15] is nominated, cancelled, nominated again, matched with an order and sent, as both groups see', async () => {
    const { page: clinician } = await newPerson()
    const { page: reviewer, forgive } = await newPerson()
    forgive(/status of 412.*study\/get/) // the open exam is cancelled
    await Promise.all([signIn(clinician, 'clinician'), signIn(reviewer, 'reviewer')])
    await openTab(clinician, echo.uuid, 'pacs')
    await press(clinician, 'Nominate')
    await clinician.getByText('Please complete all the mandatory fields.').waitFor()
    await takeShots(clinician, 'gate-nominate')
    await expectNoBarriers(clinician)
    await nominate(clinician)
    await openNominated(reviewer, echo)
    const nominated = reviewer.locator(`[data-card="${await recordOf(echo)}"]`)
    await press(clinician, 'Cancel nomination')
    await clinician.getByRole('dialog').getByRole('button', { name: 'Cancel nomination' }).click()
    // the list of a reviewer who has it open loses it at once
    await nominated.waitFor({ state: 'detached' })
    await clinician.getByRole('button', { name: 'Nominate', exact: true }).click() // with the answer of before
    await clinician.getByText('The group has not decided yet.').waitFor()
    await lookAtDetails(clinician, 'Nomination')

    await reviewer.getByRole('button', { name: '1 new' }).click()
    await openNominated(reviewer, echo)
    await press(reviewer, 'Process')
    await reviewer.getByRole('combobox', { name: 'Search by' }).selectOption('Patient name')
    const search = reviewer.getByRole('form', { name: 'Search Order' })
    await search.getByRole('textbox', { name: 'Value' }).fill('roe')
    await search.getByRole('button', { name: 'Search' }).click()
    await reviewer.getByText('1 result').waitFor()
    await lookAtDetails(reviewer, 'ROE, RICHARD')
    await takeShots(reviewer, 'gate-order')
    await expectNoBarriers(reviewer)
    await press(reviewer, 'Select ROE, RICHARD, ACC-3')
    await reviewer.getByText(/does not look like the same person/).waitFor()
    // nothing of the comparison is out of sight within it
    const table = reviewer.getByRole('table', { name: 'Comparison of the patient' })
    for (const cell of await table.getByRole('cell').all()) {
      const isWhole = await cell.evaluate((one) => {
        const [inner, outer] = [one.getBoundingClientRect(), one.closest('section')?.getBoundingClientRect()]
        return outer !== undefined && inner.right <= outer.right && one.scrollWidth <= one.clientWidth
      })
      expect(isWhole).toBe(true)
    }
    await takeShots(reviewer, 'gate-compare')
    await expectNoBarriers(reviewer)
    expect(await reviewer.getByRole('button', { name: 'Send to PACS' }).isDisabled()).toBe(true)
    await reviewer.getByRole('checkbox', { name: /this is the patient/ }).check()
    await reviewer.getByRole('combobox', { name: /Destination system/ }).selectOption('MAIN PACS')
    await press(reviewer, 'Send to PACS')
    await reviewer.getByText('The exam is queued to be sent to PACS.').waitFor()

    await clinician.getByText(/^Sent to MAIN_PACS/).waitFor()
    await reviewer.waitForURL(/Queued/)
    await reviewer.getByText(/^Sent to MAIN_PACS/).waitFor()
    await takeShots(reviewer, 'gate-sent')
    await expectNoBarriers(reviewer)
    await reviewer.getByRole('link', { name: 'Completed' }).click()
    await reviewer.locator('[data-card]').filter({ hasText: 'ROE, RICHARD' }).waitFor()
    expect(await readReceived()).toEqual([['ACC-3', 'H-99']])
    // the confirmation is on record, in words
    const gate = (await listStudies(server().address, sid)).find((one) => one.patientid === 'H-99')
    const { events } = (await ask('audit/object', { uuid: gate?.uuid, 'filter.action.equals': 'EDIT' })) as {
      events: { who: string; detail: object }[]
    }
    expect(events[0]).toMatchObject({ who: 'Sofia Lindqvist', detail: { patient_confirmed: { verdict: 'different' } } })
  })

  it('[PROCESS-16][PROCESS-17][NOMINATE-10] is rejected with a reason, which both groups read, and nominated again', async () => {
    const { page: clinician } = await newPerson()
    const { page: reviewer, forgive } = await newPerson()
    await Promise.all([signIn(clinician, 'clinician'), signIn(reviewer, 'reviewer')])
    await openTab(clinician, ct.uuid, 'pacs')
    await nominate(clinician)
    await openNominated(reviewer, ct)
    await press(reviewer, 'Process')
    await press(reviewer, 'Send without an order')
    await press(reviewer, 'Start over')
    await press(reviewer, 'Reject')
    await press(reviewer, 'Reject')
    await reviewer.getByText('Please give a reason').waitFor()
    await reviewer.keyboard.type('Not indicated')
    await takeShots(reviewer, 'gate-reject')
    await expectNoBarriers(reviewer)
    await reviewer.keyboard.press('Enter')
    await reviewer.waitForURL(/Rejected/)
    await reviewer.getByText(`Rejected by ${gateway}`).waitFor()
    await clinician.getByText('Reason: Not indicated').waitFor()
    await takeShots(clinician, 'gate-rejected')
    await expectNoBarriers(clinician)
    // the rejected record, which the reviewer looks at, gives way to a new one
    forgive(/status of 412.*study\/get/)
    await press(clinician, 'Nominate again')
    await clinician.getByText('The group has not decided yet.').waitFor()
  })

  it('[PROCESS-05][PROCESS-12] tells a reviewer who comes back that the order was changed, and is matched anew where sending failed', async () => {
    const { page: clinician } = await newPerson()
    const { page: reviewer } = await newPerson()
    await Promise.all([signIn(clinician, 'clinician'), signIn(reviewer, 'reviewer')])
    await openTab(clinician, ordered.uuid, 'pacs')
    await nominate(clinician)
    await openNominated(reviewer, ordered)
    await press(reviewer, 'Process')
    const search = reviewer.getByRole('form', { name: 'Search Order' })
    await search.getByRole('textbox', { name: 'Value' }).fill('ACC-4')
    await search.getByRole('button', { name: 'Search' }).click()
    await reviewer.getByRole('button', { name: /^Select .*ACC-4$/ }).click()
    const destination = reviewer.getByRole('combobox', { name: /Destination system/ })
    await destination.selectOption('CLOSED PACS')
    await reviewer.getByRole('tab', { name: 'Summary' }).click()
    await ask('order/set', { uuid: orderId, accession_number: 'ACC-5', patientid: 'H-34' })
    await reviewer.getByRole('tab', { name: 'Process' }).click()
    await reviewer.getByText(/The order was changed since you chose it/).waitFor()
    expect(await destination.locator('option:checked').textContent()).toBe('CLOSED PACS')
    expect(await reviewer.getByRole('textbox', { name: 'Accession number', exact: true }).inputValue()).toBe('ACC-5')
    await takeShots(reviewer, 'gate-order-changed')
    await expectNoBarriers(reviewer)
    const risk = reviewer.getByRole('checkbox', { name: /this is the patient/ })
    if (await risk.isVisible()) await risk.check()
    await press(reviewer, 'Send to PACS')
    await reviewer.waitForURL(/Queued/)
    await reviewer.getByText(/^Failed to send exam to CLOSED_PACS/).waitFor()
    await takeShots(reviewer, 'gate-failed')
    await expectNoBarriers(reviewer)
    await takeShots(clinician, 'gate-failed-source')
    await press(reviewer, 'Match again')
    await reviewer.getByRole('button', { name: 'Process', exact: true }).waitFor()
  })

  it('[PROCESS-14][ENTITY-08] waits for a second person where the group is set so, and is sent by that person', async () => {
    const first = await newPerson()
    const { page: administrator } = await newPerson()
    const reviewer = first.page
    await Promise.all([signIn(reviewer, 'reviewer'), signIn(administrator, 'administrator')])
    await administrator.goto('/administration/groups')
    await press(administrator, `Edit ${gateway}`)
    const form = administrator.getByRole('form', { name: 'Edit group' })
    await form.getByRole('combobox', { name: 'Second person' }).selectOption('For each exam')
    await form.getByRole('list', { name: 'Fields of the form' }).scrollIntoViewIfNeeded()
    await takeShots(administrator, 'gate-settings')
    await expectNoBarriers(administrator)
    await form.getByRole('button', { name: 'Save' }).click()
    await administrator.getByText(`${gateway} has been saved.`).waitFor()

    await openNominated(reviewer, ct)
    await press(reviewer, 'Process')
    await press(reviewer, 'Send without an order')
    await reviewer.getByRole('combobox', { name: /Destination system/ }).selectOption('MAIN PACS')
    await press(reviewer, 'Send to PACS')
    await reviewer.getByText(/^You matched this exam, to be sent to MAIN PACS/).waitFor()
    first.forgive(/status of 412/) // the first person's word is kept, and refused
    await takeShots(reviewer, 'gate-waits')
    await expectNoBarriers(reviewer)

    await openTab(administrator, await recordOf(ct), 'process')
    await administrator.getByRole('checkbox', { name: /this is the patient/ }).check()
    await takeShots(administrator, 'gate-confirm')
    await expectNoBarriers(administrator)
    await press(administrator, 'Confirm and send')
    await reviewer.getByText(/^(Sent|Queued to be sent) to MAIN_PACS/).waitFor()

    await administrator.goto('/orders')
    await administrator.getByRole('button', { name: 'Details of ROE, RICHARD, ACC-3' }).click()
    const details = administrator.getByRole('dialog')
    await details.getByText(/^Entered/).waitFor()
    await details.getByRole('link', { name: /ROE, RICHARD/ }).waitFor()
    await takeShots(administrator, 'orders-details')
    await expectNoBarriers(administrator)
    await administrator.keyboard.press('Escape')
    await takeShots(administrator, 'orders')
    await press(administrator, 'Edit ROE, RICHARD, ACC-3')
    await administrator.getByRole('button', { name: 'Add a step' }).click()
    await takeShots(administrator, 'orders-form')
    await expectNoBarriers(administrator)
  })

  it('[PROCESS-02][PROCESS-03][PROCESS-12] sends without a query under the MRN that is typed, or without one for a tick', async () => {
    const { page: clinician } = await newPerson()
    const { page: reviewer } = await newPerson()
    const { page: administrator } = await newPerson()
    await signIn(administrator, 'administrator')
    await administrator.goto('/administration/groups')
    await press(administrator, `Edit ${gateway}`)
    const form = administrator.getByRole('form', { name: 'Edit group' })
    await form.getByRole('combobox', { name: 'How patients are compared' }).selectOption('No comparison')
    await form.getByRole('combobox', { name: 'Second person' }).selectOption('Never asked for')
    await form.getByRole('button', { name: 'Save' }).click()
    await administrator.getByText(`${gateway} has been saved.`).waitFor()
    await Promise.all([signIn(clinician, 'clinician'), signIn(reviewer, 'reviewer')])

    const before = await readReceived()
    const person = { name: 'HAUGEN^ODA', birthDate: '19810203', sex: 'F' }
    const outside = await nominateSent(clinician, { ...person, mrn: 'L-88', issuer: 'LAKESIDE' })
    await openNominated(reviewer, outside)
    await press(reviewer, 'Process')
    await reviewer.getByText('Compare and send').waitFor()
    await reviewer.getByRole('combobox', { name: /Destination system/ }).selectOption('MAIN PACS')
    await press(reviewer, 'Send to PACS')
    await reviewer.getByText('Enter the MRN that the patient has in the hospital.').waitFor()
    await takeShots(reviewer, 'gate-no-query')
    await expectNoBarriers(reviewer)
    await reviewer.keyboard.type('H-88')
    await press(reviewer, 'Send to PACS')
    await reviewer.getByText(/^Sent to MAIN_PACS/).waitFor()
    await clinician.getByText(/^Sent to MAIN_PACS/).waitFor()
    expect((await readReceived()).toSorted()).toEqual([...before, ['', 'H-88']].toSorted())

    const numberless = await nominateSent(clinician, { ...person, name: 'HAUGEN^IDA' })
    await openTab(reviewer, await recordOf(numberless), 'process')
    await press(reviewer, 'Process')
    await reviewer.getByRole('combobox', { name: /Destination system/ }).selectOption('MAIN PACS')
    await press(reviewer, 'Send to PACS')
    await reviewer.getByText('Enter the MRN that the patient has in the hospital.').waitFor()
    await reviewer.getByRole('checkbox', { name: /^Send without an MRN/ }).check()
    await takeShots(reviewer, 'gate-without-mrn')
    await expectNoBarriers(reviewer)
    await press(reviewer, 'Send to PACS')
    await reviewer.getByText(/^Sent to MAIN_PACS/).waitFor()
    expect((await readReceived()).toSorted()).toEqual([...before, ['', 'H-88'], ['', '']].toSorted())
  })
})

/** An exam of one made image that arrives in the clinician's group, nominated there. */
async function nominateSent(page: Page, image: Parameters<typeof makeImage>[0]): Promise<ListedStudy> {
  const uuid = await sendStudy(server().address, [new Uint8Array(makeImage(image))])
  const exam = (await listStudies(server().address, sid)).find((one) => one.uuid === uuid)
  if (!exam) throw new Error('The exam is not there')
  await openTab(page, uuid, 'pacs')
  await nominate(page)
  return exam
}
