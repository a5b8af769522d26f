import { join } from 'node:path'
import type { Frame, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasCorpus, pickFromCorpus, type PickFolder } from './support/corpus.ts'
import { emailOf } from './support/sign-in.ts'
import { password } from './support/start-server.ts'
import { useSystem } from './support/system.ts'

const group = 'Emergency Department'
const { newPerson, server } = useSystem()
/** More than any screen has; beyond it something cannot be reached. */
const mostTabs = 150

/** Somebody who has no pointer. After each act the focus must be somewhere. */
class Keyboard {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  /** Goes on by Tab until this has the focus. */
  async reach(wanted: Locator): Promise<void> {
    await wanted.first().waitFor()
    for (let tabs = 0; tabs < mostTabs; tabs++) {
      const isThere = await wanted
        .first()
        .evaluate((element) => element.ownerDocument.hasFocus() && element.ownerDocument.activeElement === element)
      if (isThere) return
      await this.press('Tab')
    }
    throw new Error(`Not reached by Tab: ${wanted}`)
  }

  /** Presses a key as often as it takes, looking before each time as a person does. */
  async pressUntil(key: string, isSo: () => Promise<boolean>): Promise<void> {
    await vi.waitUntil(
      async () => {
        if (await isSo()) return true
        await this.press(key)
        return false
      },
      { interval: 250, timeout: 20_000 },
    )
  }

  /** Reaches it and presses Enter. */
  async enter(wanted: Locator): Promise<void> {
    await this.reach(wanted)
    await this.press('Enter')
  }

  /** Waits for the element; the focus must not be lost. */
  async expectFocusKept(shown: Locator): Promise<void> {
    await shown.first().waitFor()
    await this.page.waitForFunction(() => ![null, document.body].includes(document.activeElement as HTMLElement | null))
  }
}

async function frameOf(page: Page | Frame, selector: string): Promise<Frame> {
  const frame = await (await page.waitForSelector(selector)).contentFrame()
  if (!frame) throw new Error(`${selector} has no document`)
  return frame
}

describe.skipIf(!hasCorpus)('without a pointer', () => {
  let disc: PickFolder
  beforeAll(() => {
    disc = pickFromCorpus(['studies/cr-hip'])
  })
  afterAll(() => disc?.remove())

  it('an exam is uploaded, found, looked at, downloaded, tagged, corrected, deleted and restored, and the focus is never lost', async () => {
    // At a first start the full viewer is still being made ready.
    const viewerStatus = async () => (await fetch(`${server().address}/viewer/app-config.js`)).status
    await expect.poll(viewerStatus, { timeout: 200_000 }).toBe(200)
    const { page } = await newPerson({ loadsAhead: true })
    // the browser's window for folders takes no keys of a test; the one for files of a form does
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showDirectoryPicker'))
    const keys = new Keyboard(page)
    const tab = (name: string) => page.getByRole('tab', { name })
    const isSelected = (name: string) => async () =>
      (await page.getByRole('tab', { name, selected: true }).count()) === 1
    await page.goto('/')

    // signs in
    await keys.reach(page.getByLabel('Username'))
    await keys.type(emailOf('staff'))
    await keys.reach(page.getByLabel('Password', { exact: true }))
    await keys.type(password)
    await keys.press('Enter')
    await keys.expectFocusKept(page.getByRole('navigation', { name: 'Groups' }))

    // uploads
    await keys.enter(page.getByRole('link', { name: 'Upload', exact: true }))
    const groups = page.getByRole('combobox', { name: 'Group' }).or(page.getByRole('textbox', { name: 'Group' }))
    await keys.expectFocusKept(groups)
    await keys.reach(groups)
    const chosen = page.locator('[role=option][data-combobox-selected]').filter({ hasText: group })
    await keys.pressUntil('ArrowDown', async () => {
      if ((await chosen.count()) === 1) return true
      await keys.reach(groups)
      return false
    })
    await keys.press('Enter')
    await keys.enter(page.getByRole('button', { name: 'Next' }))
    await keys.expectFocusKept(page.getByRole('heading', { name: 'Find the exams to upload' }))
    const choosing = page.waitForEvent('filechooser')
    await keys.enter(page.getByRole('button', { name: 'Browse for a folder' }))
    await (await choosing).setFiles(join(disc.path, 'studies'))
    await keys.expectFocusKept(page.getByRole('heading', { name: 'Select the exams to upload' }))
    await keys.enter(page.getByRole('button', { name: 'Next' }))
    await keys.expectFocusKept(page.getByRole('heading', { name: 'Confirm what is uploaded' }))
    await keys.enter(page.getByRole('button', { name: 'Upload', exact: true }))
    await keys.expectFocusKept(page.getByText('Exams were uploaded'))

    // finds it
    await keys.enter(page.getByRole('link', { name: 'All My Groups' }))
    await keys.expectFocusKept(page.locator('[data-card]'))
    await keys.press('/')
    await keys.type('compressed')
    await keys.press('Enter')
    await keys.expectFocusKept(page.getByText(/^1 study/))
    await keys.enter(page.locator('[data-card]'))
    await keys.expectFocusKept(tab('Summary'))

    // looks at it, here and over the whole screen, and comes back
    await keys.reach(page.getByRole('tab', { selected: true }))
    await keys.pressUntil('ArrowRight', isSelected('Viewer'))
    const frame = await frameOf(page, 'iframe[title^="Viewer of"]')
    await frame.waitForSelector('.screen[data-state=image]')
    await keys.enter(frame.getByRole('button', { name: 'Full screen' }))
    const full = await frameOf(frame, '.full-frame')
    await full.waitForSelector('canvas', { timeout: 60_000 })
    await keys.enter(full.getByRole('button', { name: 'Close', exact: true }))
    await frame.waitForSelector('.full-frame', { state: 'detached' })
    await keys.enter(frame.getByRole('button', { name: 'Close viewer' }))
    await keys.expectFocusKept(page.getByRole('tab', { name: 'Summary', selected: true }))

    // downloads
    await keys.reach(page.getByRole('tab', { selected: true }))
    await keys.pressUntil('ArrowRight', isSelected('Downloads'))
    const arriving = page.waitForEvent('download')
    await keys.enter(page.getByRole('button', { name: 'Download Exam' }))
    await (await arriving).cancel()
    await keys.expectFocusKept(page.getByRole('tab', { name: 'Downloads', selected: true }))

    // corrects the MRN
    await keys.reach(page.getByRole('tab', { selected: true }))
    await keys.pressUntil('ArrowRight', isSelected('Edit MRN'))
    await keys.reach(page.getByRole('textbox', { name: 'New MRN' }))
    await keys.type('BY-KEYBOARD')
    await keys.press('Enter')
    await keys.expectFocusKept(page.getByText(/The MRN was changed from .* to BY-KEYBOARD/))

    // tags
    await keys.reach(page.getByRole('tab', { selected: true }))
    await keys.press('Home')
    await keys.press('Enter')
    await keys.reach(page.getByRole('textbox', { name: 'Add a tag' }))
    await keys.type('Keys')
    await keys.press('Enter')
    await keys.expectFocusKept(page.getByRole('button', { name: 'Remove the tag Keys' }))

    // deletes
    await keys.enter(page.getByRole('button', { name: 'More actions' }))
    const remove = page.getByRole('menuitem', { name: 'Delete exam' })
    await remove.waitFor()
    await keys.pressUntil('ArrowDown', () => isFocused(remove))
    await keys.press('Enter')
    await keys.enter(page.getByRole('dialog').getByRole('button', { name: /^Delete/ }))
    await keys.expectFocusKept(page.getByText('1 exam was deleted'))

    // restores
    await keys.enter(page.getByRole('button', { name: 'Undo' }))
    await keys.expectFocusKept(page.getByText('1 exam was restored'))

    // signs out
    await keys.enter(page.getByRole('button', { name: 'Open the main menu' }))
    const logOut = page.getByRole('menuitem', { name: 'Log out' })
    await logOut.waitFor()
    await keys.pressUntil('ArrowDown', () => isFocused(logOut))
    await keys.press('Enter')
    await keys.expectFocusKept(page.getByLabel('Username'))
  })
})

function isFocused(wanted: Locator): Promise<boolean> {
  return wanted.evaluate((element) => element === document.activeElement)
}
