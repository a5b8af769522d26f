import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson } = useSystem()

it('[ADMIN-GROUPS-01] an administrator makes a role and a group, and puts a person into it', async () => {
  const { page } = await newPerson()
  await signIn(page, 'administrator')
  await page.goto('/administration')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('grid', { name: 'Roles' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'roles')
  await page.getByRole('button', { name: 'Copy Viewer' }).click()
  const role = page.getByRole('form', { name: 'Copy role' })
  await role.getByLabel('Role', { exact: true }).fill('Night shift')
  await role.getByRole('checkbox', { name: 'Upload studies.' }).check()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'roles-form')
  await role.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Night shift has been saved.').waitFor()

  await page.getByRole('link', { name: 'Groups' }).click()
  await page.getByRole('grid', { name: 'Groups' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'groups')
  await page.getByRole('button', { name: 'Add group' }).click()
  const form = page.getByRole('form', { name: 'Add group' })
  await form.getByLabel('Group name').fill('Stroke unit')
  await form.getByLabel('Default role').selectOption('Viewer')
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'groups-form')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Stroke unit has been saved.').waitFor()

  await page.getByRole('button', { name: 'People of Stroke unit' }).click()
  await page.getByText('Nobody belongs to this group yet.').waitFor()
  await page.getByRole('button', { name: 'Add people' }).click()
  const add = page.getByRole('form', { name: 'Add people' })
  await add.getByLabel('Name').fill('Raman')
  await add.getByRole('checkbox', { name: /Priya Raman/ }).check()
  await add.getByLabel('Role in the group').selectOption('Night shift')
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'groups-add-people')
  await add.getByRole('button', { name: 'Add to the group' }).click()
  await page
    .getByRole('grid', { name: 'People of Stroke unit' })
    .getByRole('row', { name: /Priya Raman/ })
    .waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'groups-people')
  await page.reload()
  await page.getByRole('row', { name: /Priya Raman/ }).waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Delete Stroke unit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Stroke unit has been deleted.').waitFor()
  await page.getByRole('row', { name: /Stroke unit/ }).waitFor({ state: 'detached' })
})
