import { calls } from '@hilum/contract/calls/all-calls'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { coloursAlone, coloursAndRoom, findBarriers } from './support/axe.ts'
import { callWell, listStudies, openSession } from './support/call.ts'
import { type OpenedDialog, openedDialogs } from './support/opened-dialogs.ts'
import { sendHl7 } from './support/send-hl7.ts'
import { setScheme, takeShots, withForcedColours } from './support/shots.ts'
import { emailOf, signIn } from './support/sign-in.ts'
import { findFreePort } from './support/start-server.ts'
import { useSystem } from './support/system.ts'

let hl7Port = 0
const { newPerson, server } = useSystem(async () => {
  hl7Port = await findFreePort()
  return { HILUM_HL7_PORT: String(hl7Port) }
})

const SOON = { timeout: 30_000, interval: 20 }

/** Places of the addresses in the list. */
const made = { study: '' }

/** Whatever the dialogs are about and the demo lacks. */
beforeAll(async () => {
  const { address } = server()
  const sid = await openSession(address, 'administrator')
  const make = (path: string, input: object) => callWell(address, path, { sid, ...input })
  const { accounts } = await make('account/list', {})
  const [account] = accounts as { uuid: string }[] // the wire's
  const ofAccount = { account_id: account?.uuid }
  const all = await listStudies(address, sid)
  const here = all.filter((one) => one.phi_namespace_name.startsWith('Emergency'))
  // a merge is offered for an exam with images whose patient has another one with images in the place
  const whole = here.filter((one) => one.image_count > 0 && one.thin !== 1)
  const kept = whole.find((one) => whole.some((other) => other !== one && other.patientid === one.patientid))
  const binned = here.find((one) => one.patientid !== kept?.patientid)
  if (!kept || !binned) throw new Error('The demo has too few exams')
  made.study = kept.uuid
  await make('study/delete', { uuid: binned.uuid })
  await make('link/add', { study_id: kept.uuid, action: 'STUDY_VIEW', password: 'harbour-light-42' })
  await make('order/add', { ...ofAccount, patient_name: 'ROE^RICHARD', patientid: 'NS-7', accession_number: 'ACC-7' })
  await make('role/add', { ...ofAccount, name: 'Night readers', for_group: 1 })
  const hook = { name: 'Ward', event: 'ROUTE_RULE', url: 'https://ris.example.org/in', method: 'POST' }
  await make('webhook/add', { ...ofAccount, ...hook })
  await make('customfield/add', { ...ofAccount, name: 'Bay', object: 'Study', type: 'text' })
  await make('route/add', { namespace_id: kept.phi_namespace, name: 'Night CT', suspended: 1 })
  await sendReport(make, account?.uuid ?? '', kept)
  await makeFailingRule(make, account?.uuid ?? '', kept)
  const other = all.find((one) => one.patientid !== kept.patientid && one.patientid !== binned.patientid)
  if (!other) throw new Error('The demo has too few patients')
  await make('study/share', { uuid: kept.uuid, share_code: 'LAKESIDE', expires: 0 })
  await makeHeldPush(make, account?.uuid ?? '', kept, other)
  await callWell(address, 'user/password/lost', { email: emailOf('uploader') })
  const viewer = await openSession(address, 'viewer')
  const search = { name: 'Night shift', type: 'Study', configuration: { 'modality.in': ['CT'] } }
  await callWell(address, 'filter/add', { sid: viewer, ...search })
  const { uuid } = await callWell(address, 'user/get', { sid: viewer })
  await make('user/enable', { uuid, disable: 1 })
})

type Make = (path: string, input: object) => Promise<Record<string, unknown>>

/** Makes a rule whose group takes no exams any more, and has the rule run on an exam. */
async function makeFailingRule(
  make: Make,
  accountId: string,
  exam: { uuid: string; phi_namespace: string },
): Promise<void> {
  const { uuid, namespace_id } = await make('group/add', { account_id: accountId, name: 'Closed ward' })
  const rule = { name: 'To the closed ward', on_manual_route: 1, actions: [{ namespace: namespace_id }] }
  const { uuid: route } = await make('route/add', { namespace_id: exam.phi_namespace, ...rule })
  await make('group/set', { uuid, no_share: 1 })
  await make('study/manual/route', { uuid: exam.uuid, route_id: route })
}

/** Sends an exam to a destination without an archive, which waits for a reason: another patient here has the MRN of the exam. */
async function makeHeldPush(
  make: Make,
  accountId: string,
  exam: { uuid: string; patientid: string },
  other: { uuid: string },
): Promise<void> {
  const mrn_reason = 'Read from the form of the clinic'
  await make('study/set', { uuid: other.uuid, patientid: exam.patientid, patient_confirmed: 1, mrn_reason })
  const place = { name: 'Old archive', aetitle: 'OLD', address: '127.0.0.1', port: await findFreePort() }
  const { uuid } = await make('destination/add', { account_id: accountId, ...place, push_unchecked: 1 })
  await make('study/push', { uuid: exam.uuid, destination_id: uuid })
}

/** Sends a report by HL7 that names the patient of an exam and another accession number, so that it waits. */
async function sendReport(
  make: Make,
  accountId: string,
  exam: { patientid: string; phi_namespace: string },
): Promise<void> {
  const here = { account_id: accountId, 'filter.namespace_id.equals': exam.phi_namespace }
  const [group] = (await make('group/list', here))['groups'] as { uuid: string }[] // the wire's
  await make('group/set', { uuid: group?.uuid, dicom_ae_title: 'ED_NODE', hl7_senders: ['RIS@127.0.0.1/32'] })
  const stamp = '20260301'
  await sendHl7(hl7Port, [
    `MSH|^~\\&|RIS|NORTH|ED_NODE||${stamp}||ORU^R01|1|P|2.5.1`,
    `PID|1||${exam.patientid}^^^^MR||ROE^RICHARD||19700102|F`,
    `OBR|1||R-1|X^Head${'|'.repeat(14)}ACC-NOWHERE${'|'.repeat(7)}F`,
    `OBX|1|FT|GDT||No fracture${'|'.repeat(6)}F`,
  ])
}

it('every dialog takes the focus, has no barrier in light, dark, forced colours and at 200 %, closes by Escape, and gives the focus back', async () => {
  const { page, forgive } = await newPerson()
  forgive(/status of 4\d\d .*session\/key\/add/)
  await signIn(page, 'administrator')
  page.setDefaultTimeout(SOON.timeout)
  const faults: string[] = []
  for (const one of openedDialogs) {
    // one that fails hides none of the others
    await hold(page, one).catch(async (error: unknown) => {
      faults.push(`${one.source}, ${one.title}: ${error instanceof Error ? error.message : String(error)}`)
      await setScheme(page, 'light')
      await page.goto('/group/list')
    })
  }
  expect(faults).toEqual([])
}, 900_000)

it('every form of a dialog asks before it throws away what was typed, and brings whoever sent it to the reason of a refusal', async () => {
  const { page, forgive } = await newPerson()
  forgive(/status of 4\d\d /)
  await signIn(page, 'administrator')
  page.setDefaultTimeout(SOON.timeout)
  const faults: string[] = []
  let forms = 0
  for (const one of openedDialogs) {
    await fillIn(page, one)
      .then((hasForm) => {
        forms += Number(hasForm)
      })
      .catch(async (error: unknown) => {
        faults.push(`${one.source}, ${one.title}: ${error instanceof Error ? error.message : String(error)}`)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.goto('/group/list')
      })
  }
  expect(faults).toEqual([])
  expect(forms).toBeGreaterThan(12)
}, 900_000)

const writing = new Set(
  Object.values(calls)
    .filter((call) => !('reads' in call && call.reads))
    .map(({ path }) => path),
)

/** @returns whether the dialog has a form with a field to type in */
async function fillIn(page: Page, one: OpenedDialog): Promise<boolean> {
  const { opener, dialog } = await open(page, one)
  await dialog.waitFor()
  await expect.poll(() => dialog.getByRole('status', { name: 'Loading' }).count(), SOON).toBe(0)
  const field = dialog
    .locator('form :is(input[type=text], input[type=email], input:not([type]), textarea):enabled')
    .first()
  // a search is no form that is saved
  const isWindow = await dialog.evaluate((shown) => shown instanceof HTMLDialogElement)
  if (!isWindow || (await field.count()) === 0) {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    return false
  }
  await field.fill(`${await field.inputValue()}7`)
  const question = page.getByRole('dialog', { name: 'Throw away what you typed?' })
  for (const answer of ['Escape', 'Keep typing']) {
    await page.keyboard.press('Escape')
    await question.waitFor()
    if (answer === 'Escape') await page.keyboard.press('Escape')
    else await question.getByRole('button', { name: answer }).click()
    await question.waitFor({ state: 'detached' })
    expect(await dialog.isVisible(), `open after ${answer}`).toBe(true)
  }
  await takeShots(page, `typed-${one.source.replaceAll('/', '-')}-${openedDialogs.indexOf(one)}`)
  await page.route(/\/api\/v3\/(?!bundle)/, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/api/v3/', '')
    const refusal = { status: 'ERROR', error_type: 'INVALID_FIELD', error_subtype: 'name' }
    await (writing.has(path) ? route.fulfill({ status: 412, json: refusal }) : route.continue())
  })
  const submit = dialog.locator('form button[type=submit]').last()
  if ((await submit.count()) > 0 && (await submit.isEnabled())) {
    await submit.click()
    await waitForReason(dialog)
  }
  await page.unrouteAll({ behavior: 'wait' })
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Throw away' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expectFocusBack(opener)
  return true
}

async function waitForReason(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate(showsReason), { ...SOON, message: 'the reason is in sight' }).toBe(true)
}

/** Whether the first wrong field has the focus and is in sight with its message, or else the message of the form is in sight. */
function showsReason(dialog: Element): boolean {
  const frame = dialog.getBoundingClientRect()
  const isInSight = (shown: Element) => {
    const { top, bottom } = shown.getBoundingClientRect()
    return top >= frame.top - 1 && bottom <= Math.min(frame.bottom, window.innerHeight) + 1
  }
  // a field that is required is told by the browser itself
  if (dialog.querySelector('form:not([novalidate]) :invalid:not(fieldset)')?.matches(':focus')) return true
  const field = dialog.querySelector('[aria-invalid="true"]')
  if (field) {
    const message = field.closest('.mantine-InputWrapper-root')?.querySelector('.mantine-InputWrapper-error')
    return field === document.activeElement && isInSight(field) && (!message || isInSight(message))
  }
  return [...dialog.querySelectorAll('[role=alert], .mantine-InputWrapper-error')].some(isInSight)
}

/** A window of 1280 × 800 at 200 %. */
const zoomed = { width: 640, height: 400 }

async function hold(page: Page, one: OpenedDialog): Promise<void> {
  const { opener, dialog } = await open(page, one)
  await dialog.waitFor()
  const hasFocus = () => dialog.evaluate((shown) => shown.contains(document.activeElement))
  await expect.poll(hasFocus, { ...SOON, message: 'the focus is in the dialog' }).toBe(true)
  const part = 'dialog[open], [role=dialog]'
  expect(await findBarriers(page, { part }), 'light').toEqual([])
  const size = page.viewportSize() ?? zoomed
  await page.setViewportSize(zoomed)
  await withForcedColours(page, async () =>
    expect(await findBarriers(page, { part, only: coloursAndRoom }), 'forced colours, light, at 200 %').toEqual([]),
  )
  await page.setViewportSize(size)
  await setScheme(page, 'dark')
  const haveContrast = async (how: string) =>
    expect(await findBarriers(page, { part, only: coloursAlone }), how).toEqual([])
  await haveContrast('dark')
  await withForcedColours(page, () => haveContrast('forced colours, dark'))
  await setScheme(page, 'light')
  await takeShots(page, `dialog-${one.source.replaceAll('/', '-')}-${openedDialogs.indexOf(one)}`)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expectFocusBack(opener)
}

async function expectFocusBack(opener: Locator | undefined): Promise<void> {
  if (!opener) return
  const isBack = () => opener.evaluate((button) => button === document.activeElement)
  await expect.poll(isBack, { ...SOON, message: 'the focus is back where it was' }).toBe(true)
}

/** @returns where the focus comes back to; nothing where a key opened the dialog */
async function open(page: Page, one: OpenedDialog): Promise<{ opener: Locator | undefined; dialog: Locator }> {
  const { title, by, before = [], typed = {}, chosen, ticked } = one
  const address = one.at.replace('{study}', made.study)
  if (new URL(page.url()).pathname + new URL(page.url()).search !== address || before.length > 0 || ticked)
    await page.goto(address)
  const dialog = page.getByRole('dialog', { name: title })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).last()
  for (const name of before) await button(name).click()
  for (const [field, text] of Object.entries(typed)) await page.getByLabel(field, { exact: true }).fill(text)
  if (ticked) await page.getByRole('row').filter({ hasText: ticked }).getByRole('checkbox').first().check()
  if (chosen) await page.getByRole('radio', { name: chosen }).first().check()
  if (typeof by === 'object' && 'key' in by) {
    await page.locator('[data-card]').first().waitFor()
    await page.keyboard.press(by.key)
    return { opener: undefined, dialog }
  }
  if (typeof by === 'object' && 'menu' in by) {
    await button(by.menu).click()
    await page.getByRole('menuitem', { name: by.item }).click()
    return { opener: button(by.menu), dialog }
  }
  await button(by).click()
  return { opener: button(one.backTo ?? by), dialog }
}
