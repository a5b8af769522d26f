import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, listStudies, openSession } from './support/call.ts'
import { makeFolder, type PickFolder } from './support/corpus.ts'
import { hilum } from './support/hilum-command.ts'
import { type DiscImage, makeDisc, makeImage } from './support/made-disc.ts'
import { openTab } from './support/panel.ts'
import { hasToolkit } from './support/peers.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { findFreePort } from './support/start-server.ts'
import { useSystem } from './support/system.ts'
import { browseFor, confirmUpload, openWizard } from './support/wizard.ts'

/* A rule made in its form, from the first word to what it passed on: by upload, by C-STORE from a device, and by a share. */

const from = 'Emergency Department'
const to = 'Outpatient Imaging'
/** The group out of which somebody shares. */
const library = 'Teaching Library'
const rule = 'OT to outpatients'
let dicomPort = 0
let sid = ''
const { newPerson, server } = useSystem(async () => {
  dicomPort = await findFreePort()
  return { HILUM_DICOM_PORT: String(dicomPort) }
})

const folders: PickFolder[] = []
afterEach(() => {
  for (const one of folders.splice(0)) one.remove()
})
function keep(folder: PickFolder): string {
  folders.push(folder)
  return folder.path
}

async function upload(page: Page, image: DiscImage): Promise<void> {
  await openWizard(page, from)
  await browseFor(page, keep(makeDisc(image)))
  await confirmUpload(page)
  await page.getByText('Exams were uploaded').waitFor()
}

/** Sends an image as a device does, by C-STORE. */
async function store(calledTitle: string, image: DiscImage): Promise<void> {
  const file = join(keep(makeFolder()), 'device.dcm')
  writeFileSync(file, makeImage(image))
  const sender = ['-aet', 'CT_1', '-aec', calledTitle, '127.0.0.1', String(dicomPort)]
  await promisify(execFile)('storescu', [...sender, file])
}

/** Shares the only exam of a patient with a group, by the form of the exam. */
async function shareWith(page: Page, patient: string, group: string): Promise<void> {
  const studies = await listStudies(server().address, sid)
  await openTab(page, studies.find((one) => one.patient_name === patient)?.uuid ?? '', 'share')
  const form = page.getByRole('form', { name: 'Share' })
  await form.getByRole('combobox', { name: 'Groups', exact: true }).fill(group)
  await page.getByRole('listbox', { name: 'Groups' }).getByRole('option', { name: group }).click()
  await page.getByRole('button', { name: `Leave ${group} out` }).waitFor()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Share exam' }).click()
  await form.getByText('Shared with 1 recipient.').waitFor()
}

/** Names of places that hold an exam of a patient. */
async function placesOf(name: string): Promise<string[]> {
  // one session for all questions: of many the first would end
  sid ||= await openSession(server().address, 'staff')
  const studies = await listStudies(server().address, sid)
  return studies
    .filter((one) => one.patient_name === name)
    .map((one) => one.phi_namespace_name)
    .toSorted()
}

const cardOf = (page: Page, name: string) => page.locator('[data-card]').filter({ hasText: name })
const grid = (page: Page) => page.getByRole('grid').or(page.getByRole('table')).first()
const rowOf = (page: Page) => grid(page).getByRole('row').filter({ hasText: rule })

describe.skipIf(!hasToolkit)('a routing rule', () => {
  it('[ADMIN-ROUTES-05] [ADMIN-ROUTES-06] made in its form and tested passes uploads, C-STORE and what a person shares on to another group, on record, until it is disabled and deleted', async () => {
    for (const [place, title] of [
      [from, 'ED_NODE'],
      [library, 'LIB_NODE'],
    ] as const) {
      const set = ['dicom', 'set', place, '--title', title, '--allow', 'CT_1@127.0.0.0/8']
      expect(await hilum(server().dataFolder, ...set)).toMatchObject({ code: 0 })
    }
    const [administrator, clinician, watcher] = [await newPerson(), await newPerson(), await newPerson()]
    await signIn(clinician.page, 'clinician')
    await upload(clinician.page, { name: 'BEFORE^RULE', mrn: 'RR-0', birthDate: '19600101', sex: 'F' })

    const { page } = administrator
    await signIn(page, 'administrator')
    await page.goto('/administration/routing-rules')
    await page.getByRole('button', { name: 'New rule' }).click()
    const form = page.getByRole('form', { name: 'New routing rule' })
    await form.getByRole('textbox', { name: 'Name' }).fill(rule)
    await form.getByRole('combobox', { name: 'Add a place' }).selectOption(from)
    for (const when of ['Uploaded', 'Received from a device', 'Shared'])
      await form.getByRole('checkbox', { name: when, exact: true }).check()
    await form.getByRole('button', { name: 'Add condition' }).click()
    await form.getByRole('textbox', { name: 'Value of condition 1' }).fill('OT')
    if ((await form.getByRole('combobox', { name: 'Action 1' }).count()) === 0)
      await form.getByRole('button', { name: 'Add action' }).click()
    await form.getByRole('combobox', { name: 'Action 1' }).selectOption({ label: to })
    await form.getByText(`When a study in ${from} was uploaded`, { exact: false }).waitFor()
    await form.getByRole('button', { name: 'Test', exact: true }).click()
    await form.getByText(/^[1-9]\d* of \d+ studies match\./).waitFor()
    const tested = form.getByRole('region', { name: 'Test' })
    await tested.getByRole('row').filter({ hasText: 'BEFORE, RULE' }).getByText('Matches').waitFor()
    await tested.getByText('Not met: Modality is OT').first().waitFor()
    await takeShots(page, 'rule-tested')
    expect(await findBarriers(page)).toEqual([])
    await form.getByRole('checkbox', { name: 'Switched on' }).uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`Routing rule "${rule}" has been saved`).waitFor()
    await rowOf(page).getByText('Disabled').waitFor()

    // a rule that is not switched on passes nothing on; Undo takes the switching back
    const toggle = (act: 'Enable' | 'Disable') => page.getByRole('button', { name: `${act} ${rule}` }).click()
    await toggle('Enable')
    await page.getByText(`Routing rule "${rule}" has been enabled`).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await rowOf(page).getByText('Disabled').waitFor()
    await upload(clinician.page, { name: 'WHILE^OFF', mrn: 'RR-1', birthDate: '19600101', sex: 'F' })
    await toggle('Enable')
    await page.getByRole('button', { name: `Disable ${rule}` }).waitFor()

    await signIn(watcher.page, 'staff')
    await watcher.page.getByRole('navigation', { name: 'Groups' }).getByRole('button', { name: to }).click()
    await upload(clinician.page, { name: 'BY^UPLOAD', mrn: 'RR-2', birthDate: '19600101', sex: 'F' })
    await cardOf(watcher.page, 'BY, UPLOAD').first().waitFor({ timeout: 60_000 })
    await store('ED_NODE', { name: 'BY^DEVICE', mrn: 'RR-3', birthDate: '19600101', sex: 'F' })
    await expect.poll(() => placesOf('BY^DEVICE'), { timeout: 90_000, interval: 1000 }).toEqual([from, to])
    await watcher.page.reload()
    await cardOf(watcher.page, 'BY, DEVICE').first().click()
    await watcher.page.getByRole('tab', { name: 'Summary' }).waitFor()
    await store('LIB_NODE', { name: 'BY^SHARE', mrn: 'RR-5', birthDate: '19600101', sex: 'F' })
    await expect.poll(() => placesOf('BY^SHARE'), { timeout: 30_000, interval: 500 }).toEqual([library])
    await shareWith(watcher.page, 'BY^SHARE', from)
    await expect.poll(() => placesOf('BY^SHARE'), { timeout: 60_000, interval: 500 }).toEqual([from, to, library])
    expect(await placesOf('WHILE^OFF')).toEqual([from])
    expect(await placesOf('BEFORE^RULE')).toEqual([from])

    await page.getByRole('button', { name: `Runs of ${rule}` }).click()
    const runs = page.getByRole('dialog', { name: `Runs of ${rule}` })
    for (const [name, trigger] of [
      ['BY, UPLOAD', 'after an upload'],
      ['BY, DEVICE', 'received from a device'],
      ['BY, SHARE', 'after a share'],
    ] as const) {
      const run = runs.getByRole('row').filter({ hasText: name })
      await run.getByText('Done').waitFor()
      await run.getByText(trigger, { exact: false }).waitFor()
    }
    expect(await runs.getByRole('row').filter({ hasText: 'WHILE, OFF' }).count()).toBe(0)
    await takeShots(page, 'rule-runs')
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')

    await toggle('Disable')
    await page.getByText(`Routing rule "${rule}" has been disabled`).waitFor()
    await rowOf(page).getByText('Disabled').waitFor()
    // another rule of the same place says when the rules have looked at what came
    const admin = await openSession(server().address, 'administrator')
    const { namespaces } = await callWell(server().address, 'user/namespace/list', { sid: admin })
    const placeOf = (name: string) =>
      (namespaces as { name: string; uuid: string }[]).find((one) => one.name === name)?.uuid ?? ''
    const witness = { name: 'Witness', namespace_id: placeOf(from), actions: [{ namespace: placeOf(library) }] }
    await callWell(server().address, 'route/add', { sid: admin, ...witness, on_upload: 1 })
    await upload(clinician.page, { name: 'AFTER^OFF', mrn: 'RR-4', birthDate: '19600101', sex: 'F' })
    await expect.poll(() => placesOf('AFTER^OFF'), { timeout: 60_000, interval: 500 }).toContain(library)
    expect(await placesOf('AFTER^OFF')).toEqual([from, library])

    await page.getByRole('button', { name: `Edit ${rule}` }).click()
    const edit = page.getByRole('form', { name: 'Edit routing rule' })
    await edit.getByRole('combobox', { name: 'Action 1' }).waitFor()
    await edit.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: `Delete ${rule}` }).click()
    const ask = page.getByRole('dialog', { name: 'Delete this rule?' })
    await ask.getByText(`Routing rule: ${rule}`).waitFor()
    await ask.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Routing rule "${rule}" has been deleted`).waitFor()
    await expect.poll(() => rowOf(page).count()).toBe(0)
  })
})

it('[API-55] a person starts a route by hand in the panel of an exam, and the exam is in the other group', async () => {
  const { address } = server()
  const admin = await openSession(address, 'administrator')
  const ask = (path: string, input: object) => callWell(address, path, { sid: admin, ...input })
  const { namespaces } = await ask('user/namespace/list', {})
  const placeOf = (name: string) =>
    (namespaces as { name: string; uuid: string }[]).find((one) => one.name === name)?.uuid ?? ''
  const given = { namespace_id: placeOf(from), on_manual_route: 1, actions: [{ namespace: placeOf(to) }] }
  for (const name of ['To outpatients by hand', 'Not pressed']) await ask('route/add', { ...given, name })
  const placesNow = async (studyUid: string) =>
    (await listStudies(address, admin))
      .filter((one) => one.study_uid === studyUid)
      .map((one) => one.phi_namespace_name)
      .toSorted()
  const all = await listStudies(address, admin)
  const exam = all.find(
    (one) => one.phi_namespace_name === from && all.filter(({ study_uid: uid }) => uid === one.study_uid).length === 1,
  )
  expect(await placesNow(exam?.study_uid ?? '')).toEqual([from])
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await openTab(page, exam?.uuid ?? '', 'summary')
  await page.getByRole('button', { name: 'Start the route Not pressed' }).waitFor()
  await takeShots(page, 'manual-routes')
  await page.getByRole('button', { name: 'Start the route To outpatients by hand' }).click()
  await page.getByText('The route “To outpatients by hand” was started.').waitFor()
  await expect.poll(() => placesNow(exam?.study_uid ?? ''), { timeout: 30_000, interval: 500 }).toEqual([from, to])
  await page.goto('/administration/routing-rules')
  for (const [name, count] of [
    ['To outpatients by hand', 1],
    ['Not pressed', 0],
  ] as const) {
    await page.getByRole('button', { name: `Runs of ${name}` }).click()
    const runs = page.getByRole('dialog', { name: `Runs of ${name}` })
    await runs.getByText(count === 1 ? 'Done' : 'This rule has not looked at any study yet.').waitFor()
    expect(await runs.getByText('started by hand').count()).toBe(count)
    await page.keyboard.press('Escape')
  }
})
