import { expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { openTab, useStudiesOf } from './support/panel.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { server, newPerson } = useSystem()
const emergency = useStudiesOf('Emergency Department', server)
const secret = 'walrus-07'

it('[SHARE-01] leaves names behind in a link: the outsider sees the pictures under the pseudonym, and nothing of the patient', async () => {
  const [sender, outsider] = [await newPerson(), await newPerson()]
  // pictures of ultrasound carry text
  const study = emergency.find(({ modality }) => modality === 'US')
  const { page } = sender
  await signIn(page, 'staff')
  await openTab(page, study.uuid, 'share')
  await page.getByRole('checkbox', { name: 'Leave names behind' }).check()
  // nothing is given away before there is a copy
  expect(await page.getByRole('button', { name: 'Create link' }).count()).toBe(0)
  const form = page.getByRole('form', { name: 'Leave names behind' })
  await form.getByLabel('Recipient').fill('Trial of the lung')
  await takeShots(page, 'nameless-empty')
  await form.getByRole('button', { name: 'See what leaves' }).click()
  await form.getByRole('region', { name: 'Attributes that change' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await takeShots(page, 'nameless-preview')
  const make = form.getByRole('button', { name: 'Make the copy' })
  await form.getByText(/^Text may stand in the pictures of \d+ series\./).waitFor()
  expect(await make.isDisabled()).toBe(true)
  await form.getByLabel('I have looked at the pictures').check()
  await make.click()
  const copies = page.getByRole('region', { name: 'Copies without names' })
  const give = copies.getByRole('button', { name: 'Give away this copy' })
  await give.waitFor()
  await page.getByRole('region', { name: 'Keys that lead back to the patient' }).scrollIntoViewIfNeeded()
  await takeShots(page, 'nameless-keys')
  await give.click()
  const note = page.getByText(/^What you give away below is the copy without names/)
  await note.waitFor()
  const pseudonym = ((await note.textContent()) ?? '').match(/names (\S+), made/)?.[1] ?? ''
  expect(pseudonym).not.toBe('')
  await takeShots(page, 'nameless-given')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = page.getByRole('form', { name: 'New link' })
  await link.getByRole('textbox', { name: 'Password' }).fill(secret)
  await link.getByRole('button', { name: 'Create link' }).press('Enter')
  const address = await page.getByRole('textbox', { name: 'Address', exact: true }).inputValue()

  await outsider.page.goto(address)
  await outsider.page.getByRole('textbox', { name: 'Password' }).fill(secret)
  await outsider.page.getByRole('button', { name: 'Open exam' }).click()
  await outsider.page.frameLocator('iframe').locator('canvas').first().waitFor()
  await takeShots(outsider.page, 'nameless-opened')
  const content = (await outsider.page.content()).toLowerCase()
  expect(content).toContain(pseudonym.toLowerCase())
  const ofThePatient = [...study.patient_name.split('^'), study.patientid].filter((word) => word.length > 2)
  expect(ofThePatient.length).toBeGreaterThan(1)
  for (const word of ofThePatient) expect(content).not.toContain(word.toLowerCase())
})
