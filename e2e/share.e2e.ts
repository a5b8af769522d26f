import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { listStudies, openSession } from './support/call.ts'
import { cutOff } from './support/cut-off.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystemOfTwo } from './support/system.ts'

const { server, newPerson } = useSystemOfTwo()
const emergency = useStudiesOf('Emergency Department', server)

/** How long a loaded machine may take. */
const soon = { timeout: 30_000 }

/** Finds somebody by a part of the name, and takes the first who fits, by keys alone. */
async function choose(page: Page, list: 'People' | 'Groups', typed: string, name: string) {
  await page.getByRole('combobox', { name: list, exact: true }).fill(typed)
  const option = page.getByRole('listbox', { name: list }).getByRole('option', { name })
  await expect.poll(() => option.getAttribute('data-combobox-selected'), soon).toBe('true')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Leave ${name} out` }).waitFor()
  await page.keyboard.press('Escape')
}

/** The sizes that every screen is made for. */
const sizes = [
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
]

const boxOf = (form: Locator, list: string) => form.getByRole('combobox', { name: list }).locator('..').locator('..')

async function heightAt(page: Page, width: number, one: Locator): Promise<number | undefined> {
  await page.setViewportSize({ width, height: 768 })
  return (await one.boundingBox())?.height
}

it('[SHARE-01][SHARE-02][SHARE-04][PANEL-02] shares an exam with a person who sees it arrive, opens it, and loses it the moment sharing is stopped', async () => {
  const [sender, reader] = [await newPerson(), await newPerson()]
  const study = emergency.study(0)
  // the reviewer belongs to no group that holds the exam
  await signIn(reader.page, 'reviewer')
  await reader.page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('button', { name: /My studies/ })
    .click()
  const cards = reader.page.locator('[data-card]')
  await expect.poll(() => cards.count(), soon).toBe(0)

  await signIn(sender.page, 'staff')
  await openTab(sender.page, study.uuid, 'share')
  const form = sender.page.getByRole('form', { name: 'Share' })
  const button = form.getByRole('button', { name: 'Share exam' })
  await button.waitFor()
  expect(await button.isDisabled()).toBe(true)
  await takeShots(sender.page, 'share-empty')
  await choose(sender.page, 'People', 'lindq', 'Sofia Lindqvist')
  expect(await heightAt(sender.page, 1024, form.getByRole('button', { name: 'Leave Sofia Lindqvist out' }))).toBe(24)
  expect(await heightAt(sender.page, 1024, boxOf(form, 'People'))).toBe(
    await heightAt(sender.page, 1024, boxOf(form, 'Groups')),
  )
  await form.getByLabel('Message').fill('  Please have a look before the meeting at noon.  ')
  await form.getByLabel('Access ends').selectOption('After 7 days')
  expect(await findBarriers(sender.page)).toEqual([])
  await takeShots(sender.page, 'share-filled')
  await button.focus()
  await sender.page.keyboard.press('Enter')
  await form.getByText('Shared with 1 recipient.').waitFor()
  const access = sender.page.getByRole('list', { name: 'People with access' })
  await access.getByText('sofia', { exact: false }).first().waitFor()
  await access.getByText(/^Access ends on/).waitFor()
  await takeShots(sender.page, 'share-access')
  // the people with access are seen without scrolling
  for (const size of sizes) {
    await sender.page.setViewportSize(size)
    const row = await access.getByText(/^Access ends on/).boundingBox()
    expect((row?.y ?? Infinity) + (row?.height ?? 0)).toBeLessThan(size.height)
  }

  // without a reload
  await expect.poll(() => cards.count(), soon).toBe(1)
  await reader.page.getByText(/shared an exam with you/).waitFor()
  await takeShots(reader.page, 'share-received')
  await cards.first().click()
  await reader.page.getByRole('tab', { name: 'Viewer' }).click()
  await reader.page.frameLocator('iframe[title^="Viewer of"]').locator('canvas').first().waitFor()

  // requests of the open viewer are refused from now on
  reader.forgive(/status of (403|404|412)/, cutOff, /^page error: $/)
  const stop = access.getByRole('button', { name: 'Stop sharing with Sofia Lindqvist' })
  await stop.focus()
  await sender.page.keyboard.press('Enter')
  await sender.page.getByText('Sharing with Sofia Lindqvist was stopped. It is gone there.').waitFor()
  await takeShots(sender.page, 'share-stopped')
  await reader.page.getByText('This study is no longer here', { exact: false }).waitFor()
  await expect.poll(() => cards.count(), soon).toBe(0)

  await sender.page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => cards.count(), soon).toBe(1)
  await access.getByText('Please have a look before the meeting at noon.').waitFor()
})

it('[SHARE-04] two people work at one exam at the same moment: what one corrects or stops, the other sees, and who reads it loses it', async () => {
  const [sender, corrector, reader] = [await newPerson(), await newPerson(), await newPerson()]
  const study = emergency.study(2)
  await signIn(sender.page, 'staff')
  await signIn(corrector.page, 'clinician')
  await openTab(sender.page, study.uuid, 'share')
  await openTab(corrector.page, study.uuid, 'editMRN')
  await corrector.page.getByRole('textbox', { name: 'New MRN' }).fill('BOTH-1')

  const form = sender.page.getByRole('form', { name: 'Share' })
  await choose(sender.page, 'People', 'lindq', 'Sofia Lindqvist')
  // banners that pass are waited for from the beginning
  await Promise.all([
    form.getByText('Shared with 1 recipient.').waitFor(),
    corrector.page.getByText(`The MRN was changed from ${study.patientid} to BOTH-1.`).waitFor(),
    form.getByRole('button', { name: 'Share exam' }).click(),
    corrector.page.getByRole('button', { name: 'Update' }).click(),
  ])
  // without a reload
  await sender.page.getByText('BOTH-1').first().waitFor()

  await signIn(reader.page, 'reviewer')
  await reader.page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('button', { name: /My studies/ })
    .click()
  const cards = reader.page.locator('[data-card]')
  await expect.poll(() => cards.count(), soon).toBeGreaterThan(0)
  const others = (await cards.count()) - 1
  await cards.first().click()
  await reader.page.getByRole('tab', { name: 'Viewer' }).click()
  await reader.page.frameLocator('iframe[title^="Viewer of"]').locator('canvas').first().waitFor()

  // both stop the same share; neither is told of a failure, and the MRN is corrected back meanwhile
  reader.forgive(/status of (403|404|412)/, cutOff, /^page error: $/)
  // whoever is second is answered that there is no such share any more
  for (const one of [sender, corrector]) one.forgive(/status of 412.*study\/share\/stop/)
  await openTab(corrector.page, study.uuid, 'share')
  const stops = [sender, corrector].map(({ page }) =>
    page.getByRole('button', { name: 'Stop sharing with Sofia Lindqvist' }),
  )
  for (const one of stops) await one.waitFor()
  // both have asked before the first is answered, which would take the button away from the second
  let asked = 0
  const bothAsked = Promise.withResolvers<void>()
  for (const { page } of [sender, corrector])
    await page.route('**/study/share/stop', async (route) => {
      asked += 1
      if (asked === 2) bothAsked.resolve()
      await bothAsked.promise
      await route.continue()
    })
  await Promise.all([
    ...stops.map((one) => one.click()),
    emergency.call('study/set', { uuid: study.uuid, patientid: study.patientid }),
  ])
  await reader.page.getByText('This study is no longer here', { exact: false }).waitFor()
  await expect.poll(() => cards.count(), soon).toBe(others)
  for (const { page } of [sender, corrector]) {
    await page
      .getByText(/^Nobody yet|Sharing with Sofia Lindqvist was stopped/)
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'People with access' }).count(), soon).toBe(0)
    await page.getByText(study.patientid).first().waitFor()
    expect(await page.getByText('could not be stopped').count()).toBe(0)
  }
})

it('does not share while a typed name is nobody’s, and names each of several exams', async () => {
  const { page } = await newPerson()
  await signIn(page, 'staff')
  await openTab(page, emergency.study(0).uuid, 'share')
  const form = page.getByRole('form', { name: 'Share' })
  await choose(page, 'Groups', 'outp', 'Outpatient Imaging')
  await form.getByRole('combobox', { name: 'People' }).fill('Sofia')
  await page.keyboard.press('Tab') // closes the list of people, which lies over the button
  await form.getByRole('button', { name: 'Share exam' }).click()
  await form.getByText('Choose from the list.').waitFor()
  await expect
    .poll(() => form.getByRole('combobox', { name: 'People' }).evaluate((one) => one === document.activeElement))
    .toBe(true)
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'share-typed')

  await page.getByRole('tab', { name: 'Summary' }).click()
  const asked = page.getByRole('dialog')
  await asked.getByText('Nothing was shared yet. Whom you chose is lost when you leave.').waitFor()
  await takeShots(page, 'share-thrown-away')
  await asked.getByRole('button', { name: 'Leave' }).click()
  await form.waitFor({ state: 'detached' })
  await page.goto('/group/list')
  for (const at of [0, 1])
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .nth(at)
      .check()
  await page.getByRole('tab', { name: 'Share' }).click()
  await page.getByRole('columnheader', { name: 'MRN' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'share-several')
})

it('keeps a copy of a received exam, which stays when sharing is stopped', async () => {
  const [sender, reader] = [await newPerson(), await newPerson()]
  const study = emergency.study(1)
  const { shares } = await emergency.call('study/share/who', { uuid: study.uuid, type: 'user', search: 'lindqvist' })
  const [person] = shares as { uuid: string }[]
  await emergency.call('study/share', { uuid: study.uuid, user_id: person?.uuid })
  const theirs = (await listStudies(server().address, await openSession(server().address, 'reviewer'))).find(
    (one) => one.study_uid === study.study_uid,
  )
  await signIn(reader.page, 'reviewer')
  await openTab(reader.page, theirs?.uuid ?? '', 'share')
  const keep = reader.page.getByRole('button', { name: 'Keep a copy' })
  await keep.waitFor()
  expect(await findBarriers(reader.page)).toEqual([])
  await takeShots(reader.page, 'copy-offered')
  await keep.focus()
  await reader.page.keyboard.press('Enter')
  await reader.page.getByText('A copy is kept. It stays here when sharing ends.').waitFor()
  await takeShots(reader.page, 'copy-kept')

  await signIn(sender.page, 'staff')
  await openTab(sender.page, study.uuid, 'share')
  await sender.page.getByText('Has a copy, which stays when you stop sharing').waitFor()
  await takeShots(sender.page, 'copy-told')
  await sender.page.getByRole('button', { name: 'Stop sharing with Sofia Lindqvist' }).click()
  await sender.page.getByText('Sharing with Sofia Lindqvist was stopped. A copy stays there.').waitFor()
  await reader.page.reload()
  await reader.page.getByText('A copy is kept', { exact: false }).waitFor({ state: 'hidden' })
  await reader.page.getByRole('tab', { name: 'Viewer' }).click()
  await reader.page.frameLocator('iframe[title^="Viewer of"]').locator('canvas').first().waitFor()
})

it('lists what people outside have, and ends several accesses at once from there', async () => {
  const [sender, reader] = [await newPerson(), await newPerson()]
  const study = emergency.study(2)
  await emergency.call('link/add', { study_id: study.uuid, action: 'STUDY_VIEW', email: 'gp@clinic.example' })
  await signIn(sender.page, 'staff')
  const { shares } = await emergency.call('study/share/who', { uuid: study.uuid, type: 'user', search: 'lindqvist' })
  const [person] = shares as { uuid: string }[]
  await emergency.call('study/share', { uuid: study.uuid, user_id: person?.uuid, expires: 60 })
  await sender.page.goto('/account-settings/outside')
  const grid = sender.page.getByRole('grid', { name: 'Access from outside' })
  await grid.getByText('Sofia Lindqvist').first().waitFor()
  expect(await findBarriers(sender.page)).toEqual([])
  await takeShots(sender.page, 'outside-own')
  await grid.getByRole('checkbox', { name: 'Select all of this page' }).check()
  await sender.page.getByRole('button', { name: 'End access', exact: true }).click()
  const asked = sender.page.getByRole('dialog')
  await asked
    .getByText(/gp@clinic.example/)
    .first()
    .waitFor()
  await takeShots(sender.page, 'outside-question')
  await sender.page.keyboard.press('Enter')
  await grid.getByText('gp@clinic.example').first().waitFor({ state: 'detached' })
  // copies that somebody keeps stay listed, and end with a taking back alone
  expect(await grid.getByRole('button', { name: /^End the access of/, disabled: false }).count()).toBe(0)
  await takeShots(sender.page, 'outside-ended')

  await emergency.call('link/add', { study_id: study.uuid, action: 'STUDY_VIEW', email: 'gp@clinic.example' })
  await signIn(reader.page, 'administrator')
  await reader.page.goto('/administration/outside')
  await reader.page.getByRole('button', { name: 'Filter' }).click()
  await reader.page.getByRole('grid', { name: 'Access from outside' }).waitFor()
  expect(await findBarriers(reader.page)).toEqual([])
  await takeShots(reader.page, 'outside-everyone')
})

it('an exam that is taken back everywhere leaves the list and the panel of whoever has it, with a word, and comes back when it is restored', async () => {
  const [owner, reader] = [await newPerson(), await newPerson()]
  const study = emergency.study(2)
  await signIn(owner.page, 'staff')
  await openTab(owner.page, study.uuid, 'share')
  const form = owner.page.getByRole('form', { name: 'Share' })
  await choose(owner.page, 'People', 'lindq', 'Sofia Lindqvist')
  await Promise.all([
    form.getByText('Shared with 1 recipient.').waitFor(),
    form.getByRole('button', { name: 'Share exam' }).click(),
  ])
  await signIn(reader.page, 'reviewer')
  await reader.page
    .getByRole('navigation', { name: 'Groups' })
    .getByRole('button', { name: /My studies/ })
    .click()
  const cards = reader.page.locator('[data-card]')
  await expect.poll(() => cards.count(), soon).toBeGreaterThan(0)
  const others = (await cards.count()) - 1
  await cards.first().click()
  await reader.page.getByRole('tab', { selected: true }).waitFor()

  // the panel asks for an exam that is gone
  reader.forgive(/status of (403|404|412)/, cutOff)
  await owner.page.getByRole('button', { name: 'More actions' }).click()
  await owner.page.getByRole('menuitem', { name: 'Take back everywhere' }).click()
  const question = owner.page.getByRole('dialog', { name: 'Take this exam back everywhere?' })
  await question.getByRole('textbox', { name: 'Reason' }).fill('Images of another patient')
  // banners that pass are waited for from the beginning
  await Promise.all([
    reader.page.getByText('An exam that you had was taken back by its owner.').waitFor(),
    reader.page.getByText('This study is no longer here', { exact: false }).waitFor(),
    owner.page.getByText('The exam was taken back here and from 1 other place.').waitFor(),
    question.getByRole('button', { name: 'Take back everywhere' }).click(),
  ])
  await expect.poll(() => cards.count(), soon).toBe(others)
  await owner.page.goto(`/group/list?study=${study.uuid}`)
  await owner.page.getByText(/This study was taken back everywhere by .*: Images of another patient\./).waitFor()

  await owner.page.getByRole('button', { name: 'Restore' }).click()
  await expect
    .poll(async () => {
      // a list with exams keeps still, and says that there are new ones
      await reader.page.reload()
      await reader.page.locator('[data-card]').first().waitFor()
      return cards.count()
    }, soon)
    .toBe(others + 1)
})
