import type { Page } from 'playwright-core'
import { password } from './start-server.ts'

/** A demo user, one for each role. */
export type DemoLogin = 'administrator' | 'clinician' | 'staff' | 'reviewer' | 'viewer' | 'uploader'

export function emailOf(login: DemoLogin): string {
  return `${login}@northside.example`
}

/** Fills the login screen that is open and sends it; what comes of it is the caller's to look at. */
export async function sendLogin(page: Page, login: string, secret: string = password): Promise<void> {
  await page.getByLabel('Username').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Signs in at the login screen and waits for the inbox. */
export async function signIn(page: Page, login: DemoLogin): Promise<void> {
  await page.goto('/')
  await sendLogin(page, emailOf(login))
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
}

/** Logs out by the main menu. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the main menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('Username').waitFor()
}

/** The token of the session, which the page itself cannot read. */
export async function sidOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'hilum_sid')?.value ?? ''
}
