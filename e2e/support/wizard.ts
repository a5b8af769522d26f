import type { Page } from 'playwright-core'
import { vi } from 'vitest'

/** A list of groups shows at once; on a busy machine it may take this long. */
const LIST_MS = 5000

/** Opens the upload wizard and chooses the group, so that a folder can be given. */
export async function openWizard(page: Page, group: string): Promise<void> {
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await chooseGroup(page, group)
}

export async function chooseGroup(page: Page, group: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Group' }).or(page.getByRole('textbox', { name: 'Group' }))
  const option = page.getByRole('option', { name: group })
  // A list that closes because the page around it is drawn anew is opened once more, as a person would.
  await vi.waitUntil(
    async () => {
      await field.click()
      return option.click({ timeout: LIST_MS }).then(
        () => true,
        () => false,
      )
    },
    { timeout: 30_000 },
  )
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Find the exams to upload' }).waitFor()
}

/** Chooses a folder as the browser's folder picker does. */
export async function browseFor(page: Page, folder: string): Promise<void> {
  await page.locator('input[type=file][webkitdirectory]').setInputFiles(folder)
}

/** From the table of found exams through the confirmation to the running upload. */
export async function confirmUpload(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}
