import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, openSession } from './support/call.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

it('an administrator sees who was refused what, and finds one by name or address', async () => {
  const { page } = await newPerson()
  const { address } = server()
  await signIn(page, 'administrator')
  const sid = await openSession(address, 'administrator')
  const { accounts } = await callWell(address, 'account/list', { sid })
  const account_id = (accounts as { uuid: string }[])[0]?.uuid // the wire's
  const { groups } = await callWell(address, 'group/list', { sid, account_id })
  const [group] = groups as { uuid: string; namespace_id: string }[]
  const viewer = await openSession(address, 'viewer')
  const refused = (path: string, sent: object) =>
    fetch(`${address}/api/v3/${path}`, { method: 'POST', body: JSON.stringify(sent), headers: json })
  for (let time = 0; time < 3; time++) await refused('audit/refused', { sid: viewer, account_id })
  await refused('role/list', { sid: viewer, account_id })
  await refused('group/list', { account_id })
  await fetch(`${address}/dicomweb/${group?.namespace_id}/studies/1.2.3/metadata`)

  await page.goto('/administration')
  await page.getByRole('link', { name: 'Refused access' }).click()
  const rows = page.getByRole('grid', { name: 'Refused access' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(3)
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'refused-access')
  const ofViewer = rows.filter({ hasText: 'by the call audit/refused' })
  expect(await ofViewer.textContent()).toMatch(/The organisation itself.*3/)

  await page.getByRole('searchbox', { name: 'Name, AE title or address' }).fill('nobody')
  await page.getByText('No name, AE title or address contains “nobody”.').waitFor()
  await takeShots(page, 'refused-access-none')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('127.0.0.1')
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(3)
})

const json = { 'content-type': 'application/json' }
