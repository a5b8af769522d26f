import { describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import type { Reply } from './support/call.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()
const { study, call, get } = useStudiesOf('Emergency Department', server)

describe('the summary', () => {
  it('[TAG-01] [TAG-02] [TAG-03] [TAG-04] takes tags by Enter and from those in use, and shows them to others at once', async () => {
    const { page } = await newPerson()
    const other = await newPerson()
    await signIn(page, 'staff')
    await signIn(other.page, 'clinician')
    await openTab(page, study(0).uuid, 'summary')
    await other.page.goto('/group/list')
    const input = page.getByRole('textbox', { name: 'Add a tag' })
    await input.fill('Second opinion')
    await input.press('Enter')
    await other.page.getByText('Second opinion').waitFor()
    await openTab(page, study(1).uuid, 'summary')
    await input.fill('secon')
    await page.getByRole('option', { name: 'Second opinion' }).click()
    await page.getByRole('button', { name: 'Remove the tag Second opinion' }).waitFor()
    for (const tag of ['Two', 'Three']) {
      await input.fill(tag)
      await input.press('Enter')
    }
    await page.getByText('3 Selected').waitFor()
    await page.getByRole('button', { name: 'Remove the tag Second opinion' }).click()
    await expect.poll(async () => (await get(study(1).uuid))['tags']).toEqual(['Two', 'Three'])
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('[SUMMARY-01] [SUMMARY-02] has the pictures, who, what and what happened, and no barriers', async () => {
    const { page } = await newPerson()
    await signIn(page, 'clinician')
    await openTab(page, study(0).uuid, 'summary')
    await page.getByRole('list', { name: 'Series' }).getByRole('img').first().waitFor()
    for (const name of ['Patient demographics', 'Exam information', 'Exam history']) {
      await page.getByRole('button', { name }).waitFor()
    }
    await page
      .getByRole('row', { name: /Mei Tanaka.*Edited.*Second opinion/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /Upload/ })
      .first()
      .waitFor()
    expect(await findBarriers(page)).toEqual([])
    await takeShots(page, 'panel-summary')
  })

  it('stars a study and says how far the work is, which others see', async () => {
    const { page } = await newPerson()
    const other = await newPerson()
    await signIn(page, 'clinician')
    await signIn(other.page, 'staff')
    await openTab(page, study(0).uuid, 'summary')
    await openTab(other.page, study(0).uuid, 'summary')
    await page.getByRole('button', { name: 'Star this study' }).click()
    await page.getByRole('button', { name: 'Star this study', pressed: true }).waitFor()
    await page.getByRole('button', { name: /^Work status/ }).click()
    await page.getByRole('menuitem', { name: 'In progress' }).click()
    await other.page.getByRole('button', { name: 'Work status: In progress · Daniel Reyes' }).waitFor()
    expect(await other.page.getByRole('button', { name: 'Star this study', pressed: true }).count()).toBe(0)
    await call('study/set', { study_id: study(0).uuid, work_status: 'new' })
  })

  it('lists other exams that are likely of the same patient, in words', async () => {
    const { page } = await newPerson()
    const [a, b] = [await get(study(0).uuid), await get(study(2).uuid)]
    const identity = ['patient_name', 'patientid', 'patient_birth_date', 'patient_sex']
    const pick = (from: Record<string, unknown>) => Object.fromEntries(identity.map((name) => [name, from[name]]))
    await call('study/set', { study_id: study(2).uuid, ...pick(a) })
    await signIn(page, 'clinician')
    await openTab(page, study(0).uuid, 'summary')
    await page.getByText(/Same name · Same date of birth/).waitFor()
    await call('study/set', { study_id: study(2).uuid, ...pick(b) })
  })
})

describe('deleting', () => {
  it('[DELETE-01] [DELETE-02] [PANEL-01] one exam by the menu: table, question, message, Undo', async () => {
    const { page } = await newPerson()
    const other = await newPerson()
    other.forgive(/status of 412/) // the panel asks for an exam that is gone
    await signIn(page, 'staff')
    await signIn(other.page, 'clinician')
    await openTab(other.page, study(2).uuid, 'summary')
    await openTab(page, study(2).uuid, 'summary')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete exam' }).click()
    // the menu asks at once, and Cancel leaves the table
    await page.getByRole('dialog', { name: 'Delete this exam?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('columnheader', { name: 'Patient' }).waitFor()
    await takeShots(page, 'panel-delete')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete exam' }).last().click()
    const question = page.getByRole('dialog', { name: 'Delete this exam?' })
    await question.getByText('restored for 30 days').waitFor()
    await takeShots(page, 'panel-delete-question')
    await question.getByRole('button', { name: 'Delete exam' }).click()
    await page.getByText('1 exam was deleted').waitFor()
    await takeShots(page, 'panel-deleted-message')
    expect(await findBarriers(page)).toEqual([])
    await other.page.getByText('This study is no longer here.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 exam was restored').waitFor()
    expect((await get(study(2).uuid))['is_deleted']).toBe(0)
  })

  it('[LIST-15] [GRID-05] several are tagged, starred and set at once, told of, and put back', async () => {
    const { page } = await newPerson()
    await signIn(page, 'staff')
    await page.goto('/group/list')
    const both = [study(0).uuid, study(1).uuid]
    const mark = async () => {
      for (const uuid of both) {
        const line = page.getByRole('listitem').filter({ has: page.locator(`[data-card="${uuid}"]`) })
        await line.getByRole('checkbox', { name: /^Select / }).check()
      }
      await page.getByRole('tab', { name: 'Downloads', selected: true }).waitFor()
    }
    const now = async (field: string) => Promise.all(both.map(async (uuid) => (await get(uuid))[field]))
    const tagsBefore = await now('tags')
    await mark()
    await takeShots(page, 'panel-batch')
    await page.getByRole('textbox', { name: 'Add a tag to all' }).fill('Tumour board')
    await page.keyboard.press('Enter')
    await page.getByText('2 studies were tagged Tumour board').waitFor()
    await takeShots(page, 'panel-batch-done')
    expect(await findBarriers(page)).toEqual([])
    for (const tags of await now('tags')) expect(tags).toContain('Tumour board')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Everything is as it was before.').waitFor()
    expect(await now('tags')).toEqual(tagsBefore)
    const statusBefore = await now('work_status')
    await mark()
    await page.getByRole('group', { name: 'Change all of them' }).getByRole('button', { name: 'Set status' }).click()
    await page.getByRole('menuitem', { name: 'Done' }).click()
    await page.getByText('2 studies were set to Done').waitFor()
    expect(await now('work_status')).toEqual(['done', 'done'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Everything is as it was before.').waitFor()
    expect(await now('work_status')).toEqual(statusBefore)
  })

  it('[LIST-15] [PERM-01] several are moved to another group with their files, and put back by one Undo', async () => {
    const { page } = await newPerson()
    await signIn(page, 'staff')
    await page.goto('/group/list')
    const both = [study(0).uuid, study(1).uuid]
    const before = await Promise.all(both.map(get))
    for (const uuid of both) {
      const line = page.getByRole('listitem').filter({ has: page.locator(`[data-card="${uuid}"]`) })
      await line.getByRole('checkbox', { name: /^Select / }).check()
    }
    await page.getByRole('button', { name: 'Move …' }).click()
    const question = page.getByRole('dialog', { name: 'Move 2 exams to another group' })
    await question.getByText(/^Access through Emergency Department/).waitFor()
    await question.getByRole('combobox', { name: 'Group' }).fill('outp')
    await question.getByRole('option', { name: 'Outpatient Imaging' }).click()
    await takeShots(page, 'panel-move')
    expect(await findBarriers(page)).toEqual([])
    await question.getByRole('button', { name: 'Move 2 exams' }).click()
    await page.getByText('2 exams were moved to Outpatient Imaging').waitFor()
    await takeShots(page, 'panel-moved')
    const found = async (uid: unknown) => {
      const { studies } = await call('study/list', { 'filter.study_uid.equals': String(uid) })
      return (studies as Reply['body'][]).map((one) => [one['phi_namespace_name'], one['image_count']])
    }
    for (const one of before)
      expect(await found(one['study_uid'])).toEqual([['Outpatient Imaging', one['image_count']]])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Everything is as it was before.').waitFor()
    for (const one of before)
      expect(await found(one['study_uid'])).toEqual([['Emergency Department', one['image_count']]])
  })

  it('[DELETE-02] [ERROR-19] [ERROR-20] [PANEL-06] of several, one that fails is named and the rest is done', async () => {
    const { page } = await newPerson()
    await signIn(page, 'staff')
    await page.goto('/group/list')
    const [gone, other] = [study(0).uuid, study(1).uuid]
    for (const uuid of [gone, other]) {
      const line = page.getByRole('listitem').filter({ has: page.locator(`[data-card="${uuid}"]`) })
      await line.getByRole('checkbox', { name: /^Select / }).check()
    }
    await page.getByRole('tab', { name: 'Downloads', selected: true }).waitFor()
    await takeShots(page, 'panel-several')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('tab', { name: 'Delete exams' }).click()
    await page.getByRole('button', { name: 'Delete 2 exams' }).click()
    await page.getByText(/^Looking up with whom/).waitFor({ state: 'detached' })
    await call('study/delete', { uuid: gone })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 exams' }).click()
    await page.getByText('Exam failed to be deleted').waitFor()
    await page.getByText(/It is no longer here/).waitFor()
    await page.getByText('1 exam was deleted').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 exam was restored').waitFor()
    await page.goto(`/group/list?study=${gone}`)
    await page.getByText(/was deleted by Mei Tanaka/).waitFor()
    await takeShots(page, 'panel-deleted')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
  })
})

describe('without a network', () => {
  it('[ERROR-22] says so before an act fails, keeps the open study through a search, and heals the list by itself', async () => {
    const { page, context, forgive } = await newPerson()
    forgive(/ERR_INTERNET_DISCONNECTED/, /WebSocket/)
    await signIn(page, 'clinician')
    await openTab(page, study(0).uuid, 'summary')
    await page.getByRole('region', { name: 'Studies' }).getByRole('listitem').first().waitFor()
    await context.setOffline(true)
    await page.getByText('nothing can be changed until the connection is back').waitFor()
    await page.getByLabel('Name, MRN, accession number, UID or tag').fill('oconnor')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('The studies could not be loaded: the server cannot be reached.').waitFor()
    await takeShots(page, 'panel-offline')
    expect(await page.getByRole('tab', { name: 'Summary', selected: true }).count()).toBe(1)
    await context.setOffline(false)
    await page.getByRole('region', { name: 'Studies' }).getByRole('listitem').first().waitFor()
    await expect.poll(() => page.getByText('nothing can be changed').count()).toBe(0)
  })
})

describe('hostile text', () => {
  it('is text in every field of every tab', async () => {
    const { page } = await newPerson()
    // as long as the fields take
    const picture = '<img src=x onerror="window.ran=1">'
    const payload = `${picture}<script>window.ran=1</script>`
    await call('study/set', {
      study_id: study(2).uuid,
      patient_name: '<img src=x onerror=ran()>^<b>bold</b>',
      patientid: payload,
      study_description: payload,
      accession_number: '<img src=x>',
      referring_physician: '<b>bold</b>^<i>i</i>',
    })
    await call('tag/add', { object: 'Study', object_id: study(2).uuid, tag: payload })
    await signIn(page, 'staff')
    for (const tab of ['summary', 'download', 'editMRN', 'attachments', 'deleteExams', 'exchange']) {
      await openTab(page, study(2).uuid, tab)
      await page.getByText('<img src=x').first().waitFor()
      expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    }
    await takeShots(page, 'panel-hostile')
  })
})
