import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoStudies } from '@hilum/dicom/synthetic/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { makeFolder, type PickFolder } from './support/corpus.ts'
import { findCutOff } from './support/find-cut-off.ts'
import type { Person } from './support/open-browser.ts'
import { takeShot } from './support/shots.ts'
import { emailOf, logOut, sendLogin, signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { browseFor, chooseGroup } from './support/wizard.ts'

const { newPerson } = useSystem()

let disc: PickFolder
beforeAll(() => {
  disc = makeFolder()
  for (const study of demoStudies('a fourth seed')) {
    for (const { path, bytes } of study.files()) {
      mkdirSync(join(disc.path, path, '..'), { recursive: true })
      writeFileSync(join(disc.path, path), bytes)
    }
  }
})
afterAll(() => disc.remove())

describe('at 200 % zoom of a window of 1440 × 900', () => {
  const zoomed = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }

  /** Everything has its room on the screen, and there is no barrier. */
  async function inspect(page: Page, name: string, within?: string): Promise<void> {
    const found = { cutOff: await findCutOff(page, within), barriers: await findBarriers(page) }
    await takeShot(page, `zoomed-${name}`)
    expect.soft({ name, ...found }).toEqual({ name, cutOff: [], barriers: [] })
  }

  it('a screen with each fault is told of, so that no fault goes by unseen', async () => {
    const { page } = await newPerson(zoomed)
    await page.setContent(`<body style="margin: 0; font: 16px sans-serif">
      <div style="overflow: hidden; height: 20px"><button style="height: 40px">Cut</button></div>
      <div style="overflow: auto; height: 30px; width: 200px"><p>Much</p><button>Scrolled to</button></div>
      <div style="position: relative"><button>Covered</button><i style="position: absolute; inset: 0">Cover</i></div>
      <div style="position: relative; height: 20px">Below<span style="position: absolute; left: 4px; top: 0">Above</span></div>
      <div style="overflow-wrap: anywhere; width: 30px">contrast</div>
      <table><tr><td style="max-width: 20px; white-space: nowrap">Accession<td>Files</table>
      <div style="overflow: hidden; width: 40px; white-space: nowrap">Lost words</div>
      <div style="overflow: hidden; width: 40px; white-space: nowrap; text-overflow: ellipsis">With dots</div>
      <div style="position: fixed; bottom: 0"><button style="margin-bottom: -9px">Out of the window</button></div>
      <div style="width: 800px">Wide</div>`)
    const found = (await findCutOff(page)).join('\n')
    for (const fault of [
      'the whole page scrolls sideways, 80 px',
      'button "Cut" is cut off',
      'button "Covered" is below i "Cover"',
      '"Below" lies over "Above"',
      'the word "contrast" is broken',
      '"Accession" runs out of its cell',
      'the text "Lost words" is cut off',
      'button "Out of the window" is cut off',
    ])
      expect(found).toContain(fault)
    expect(found).not.toMatch(/Scrolled to|dots/)
  })

  it('sign-in, the inbox and every tab of an exam have their room', async () => {
    const { page, forgive } = await newPerson(zoomed)
    forgive(/status of 412/)
    await page.goto('/')
    await page.getByLabel('Username').waitFor()
    await inspect(page, 'login')
    await sendLogin(page, emailOf('administrator'), 'wrong-password-1')
    await page.getByText('The username or the password is not right.').waitFor()
    await inspect(page, 'login-refused')
    await sendLogin(page, emailOf('administrator'))
    await page.locator('[data-card]').first().waitFor()
    await inspect(page, 'list')
    await page.getByRole('button', { name: 'Open the main menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await inspect(page, 'menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Advanced search' }).click()
    await page.getByRole('dialog', { name: 'Advanced search' }).waitFor()
    await inspect(page, 'advanced-search')
    await page.keyboard.press('Escape')
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { selected: true }).waitFor()
    const names = await page.getByRole('tab').allTextContents()
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.getByText('Loading', { exact: true }).waitFor({ state: 'hidden' })
      await inspect(page, `tab-${name.toLowerCase().replaceAll(' ', '-')}`)
      if (name !== 'Viewer') continue
      const viewer = page.locator('iframe[title^="Viewer of"]')
      await viewer.contentFrame().locator('.screen[data-state=image]').waitFor()
      const frame = await (await viewer.elementHandle())?.contentFrame()
      expect.soft(frame && (await findCutOff(frame))).toEqual([])
      await takeShot(page, 'zoomed-viewer')
      // below banners, or with the browser's own bars
      await page.setViewportSize({ width: 720, height: 380 })
      await inspect(page, 'tab-viewer-low')
      // the picture and its letters take their new places a frame later
      await expect.poll(() => frame && findCutOff(frame)).toEqual([])
      await page.setViewportSize(zoomed.viewport)
    }
    await page.goto('/worklist')
    await page.locator('[data-card]').first().waitFor()
    await inspect(page, 'worklist')
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { selected: true }).waitFor()
    await inspect(page, 'worklist-panel')
  })

  it('the upload wizard has its room, step by step', async () => {
    const { page } = await newPerson(zoomed)
    await page.goto('/')
    await sendLogin(page, emailOf('clinician'))
    await page.locator('[data-card]').first().waitFor()
    const burger = page.getByRole('button', { name: 'Show the navigation' })
    await burger.click()
    expect(await burger.evaluate((icon) => getComputedStyle(icon).backgroundColor)).toMatch(/^rgba\(.* 0\.1/)
    await inspect(page, 'navigation', 'nav')
    await page.getByRole('link', { name: 'Upload', exact: true }).click()
    await page.getByRole('heading', { name: 'Where should the exams go?' }).waitFor()
    await inspect(page, 'upload-0')
    await chooseGroup(page, 'Emergency Department')
    await inspect(page, 'upload-1')
    await browseFor(page, disc.path)
    await page.getByRole('heading', { name: 'Select the exams to upload' }).waitFor()
    await page.getByRole('button', { name: 'Show the series' }).first().click()
    await inspect(page, 'upload-2')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Confirm what is uploaded' }).waitFor()
    await inspect(page, 'upload-3')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Exams were uploaded').waitFor({ timeout: 90_000 })
    await inspect(page, 'upload-done')
  })

  it('every page of the administration has its room', async () => {
    const { page } = await newPerson(zoomed)
    await page.goto('/')
    await sendLogin(page, emailOf('administrator'))
    await page.locator('[data-card]').first().waitFor()
    await page.goto('/administration')
    const pages = page.getByRole('navigation', { name: 'Administration pages' })
    await pages.getByRole('link').first().waitFor()
    const names = await pages.getByRole('link').allTextContents()
    for (const name of names) {
      await pages.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await page.getByText('Loading', { exact: true }).waitFor({ state: 'hidden' })
      await inspect(page, `administration-${name.toLowerCase().replaceAll(' ', '-')}`)
    }
    for (const path of ['/account-settings', '/help']) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
      await page.getByText('Loading', { exact: true }).waitFor({ state: 'hidden' })
      await inspect(page, path.slice(1))
    }
  })
})

describe('acts with and without motion', () => {
  /** Notes every animation and transition of some length in any frame of the page. */
  async function watchMotion(page: Page): Promise<Set<string>> {
    const seen = new Set<string>()
    await page.exposeBinding('noteMotion', (_, what: string) => seen.add(what))
    await page.addInitScript(() => {
      const look = () => {
        for (const animation of document.getAnimations()) {
          const { effect } = animation
          const { duration = 0, delay = 0 } = effect?.getComputedTiming() ?? {}
          if (Number(duration) + delay <= 0) continue
          const name =
            'animationName' in animation ? animation.animationName : Reflect.get(animation, 'transitionProperty')
          const target = effect instanceof KeyframeEffect ? effect.target : undefined
          void Reflect.get(
            window,
            'noteMotion',
          )(`${name ?? 'script'} of ${target?.tagName} ${target?.getAttribute('class')}`)
        }
        requestAnimationFrame(look)
      }
      look()
    })
    return seen
  }

  async function act({ page }: Person): Promise<void> {
    await signIn(page, 'administrator')
    await page.locator('[data-card]').first().waitFor()
    await page.getByRole('button', { name: 'Open the main menu' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Advanced search' }).click()
    await page.getByRole('dialog', { name: 'Advanced search' }).waitFor()
    await page.getByRole('dialog').getByLabel('Patient name').fill('nobody')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: 'Close' }).click()
    await page.locator('[data-card]').first().hover()
    await page.locator('[data-card]').first().click()
    await page.getByRole('tab', { selected: true }).waitFor()
    for (const name of ['Downloads', 'Share', 'Viewer']) await page.getByRole('tab', { name }).click()
    await page.frameLocator('iframe[title^="Viewer of"]').locator('.screen[data-state=image]').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete exam' }).click()
    await page
      .getByRole('dialog', { name: 'Delete this exam?' })
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(/restored/).waitFor()
    await page.getByRole('link', { name: 'Upload', exact: true }).click()
    await page.getByRole('heading', { name: 'Where should the exams go?' }).waitFor()
    await logOut(page)
  }

  it('nothing moves for a person who asked for less motion', async () => {
    const person = await newPerson({ reducedMotion: 'reduce' })
    const motion = await watchMotion(person.page)
    await act(person)
    expect([...motion]).toEqual([])
  })

  it('the same acts work with motion', async () => {
    const person = await newPerson({ reducedMotion: 'no-preference' })
    const motion = await watchMotion(person.page)
    await act(person)
    expect(motion.size).toBeGreaterThan(0)
  })
})
