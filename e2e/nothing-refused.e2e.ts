import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { call, callWell, openSession } from './support/call.ts'
import { hilum } from './support/hilum-command.ts'
import { type DemoLogin, emailOf, sendLogin } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const { newPerson, server } = useSystem()

let account_id: string
let sid: string
beforeAll(async () => {
  const { address } = server()
  sid = await openSession(address, 'administrator')
  const { accounts } = await callWell(address, 'account/list', { sid })
  account_id = String((accounts as { uuid: string }[])[0]?.uuid) // the wire's
})

async function makeSystemAdministrator(login: DemoLogin): Promise<void> {
  const { code, said } = await hilum(server().dataFolder, 'users', 'system-administrator', emailOf(login))
  if (code !== 0) throw new Error(said)
}

/** An auditor belongs to no group and holds the right to read the audit alone. */
async function makeAuditor(login: DemoLogin): Promise<void> {
  const { address } = server()
  const permissions = JSON.stringify({ account_audit_view: 1 })
  const { uuid } = await callWell(address, 'role/add', { sid, account_id, name: 'Auditor', permissions })
  const { uuid: user_id } = await callWell(address, 'user/get', { sid: await openSession(address, login) })
  await callWell(address, 'account/user/set', { sid, uuid: account_id, user_id, role_id: uuid, groups: '[]' })
}

/** Waits until the page has asked the server for nothing for a moment. */
async function settle(page: Page, asked: ReadonlySet<unknown>): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet = asked.size === 0 ? quiet + 1 : 0) await page.waitForTimeout(60)
}

/** Of pages that differ by the group in their address alone, as many are opened. */
const mostAlike = 2

/** Opens the pages that links of the pages before lead to, and every tab of an exam; gives the addresses. */
async function openEverything(page: Page): Promise<string[]> {
  const asked = new Set<unknown>()
  page.on('request', (request) => /\/api\/|\/assets\//.test(request.url()) && asked.add(request))
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  const waiting = ['/group/list', '/account-settings', '/administration', '/worklist', '/orders', '/upload']
  const opened = new Set<string>()
  const alike = new Map<string, number>()
  for (let address = waiting.shift(); address; address = waiting.shift()) {
    const kind = address.replace(/[0-9a-f-]{36}/, '*')
    const count = alike.get(kind) ?? 0
    if (opened.has(address) || count === mostAlike) continue
    opened.add(address)
    alike.set(kind, count + 1)
    // within the page, as a link leads: each load anew would take a second
    await page.evaluate((to) => window.history.pushState(null, '', to), address)
    await settle(page, asked)
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).pathname))
    waiting.push(...links.filter((one) => !/^\/(api|help|viewer|proviewer)\b/.test(one)))
  }
  await page.goto('/group/list')
  await page.getByRole('navigation', { name: 'Groups' }).waitFor()
  await settle(page, asked)
  const card = page.locator('[data-card]').first()
  if (await card.isVisible()) {
    await card.click()
    await page.getByRole('tab', { name: 'Summary' }).waitFor()
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await settle(page, asked)
    }
  }
  return [...opened]
}

interface Walk {
  who: string
  login: DemoLogin
  /** Makes somebody else of the person first. */
  prepare?: (login: DemoLogin) => Promise<void>
  finds: string
  least: number
}
const keys = '/account-settings/keys'
const people: Walk[] = [
  { who: 'an uploader', login: 'uploader', finds: keys, least: 10 },
  { who: 'a viewer', login: 'viewer', finds: keys, least: 10 },
  { who: 'a clinician', login: 'clinician', finds: keys, least: 10 },
  { who: 'staff', login: 'staff', finds: keys, least: 10 },
  { who: 'a gatekeeper reviewer', login: 'reviewer', finds: keys, least: 10 },
  { who: 'an auditor', login: 'reviewer', prepare: makeAuditor, finds: '/administration/refused', least: 10 },
  {
    who: 'a system administrator',
    login: 'clinician',
    prepare: makeSystemAdministrator,
    finds: '/administration/system',
    least: 10,
  },
  { who: 'an administrator', login: 'administrator', finds: '/administration/users', least: 20 },
]

it.each(people)(
  'no screen asks at its opening for what the role of $who refuses',
  async ({ login, prepare, finds, least }) => {
    const { address } = server()
    await prepare?.(login)
    const { page } = await newPerson()
    const refused: string[] = []
    page.on('response', async (response) => {
      if (!response.url().includes('/api/') || response.status() < 400) return
      refused.push(`${new URL(response.url()).pathname} ${response.status()} ${await response.text().catch(() => '')}`)
    })
    await page.goto('/')
    await sendLogin(page, emailOf(login))
    await page.getByRole('button', { name: /Open the main menu/ }).waitFor()
    const opened = await openEverything(page)
    expect(opened).toContain(finds)
    expect(opened.length).toBeGreaterThan(least)
    expect(refused).toEqual([])

    // refusals are written in the order of their coming: behind this one there is none that waits
    const uploader = await openSession(address, 'uploader')
    const before = await countOf('role/list')
    expect(await call(address, 'role/list', { sid: uploader, account_id })).toMatchObject({ status: 412 })
    await expect.poll(() => countOf('role/list')).toBe(before + 1)
    const rows = await listRefusals()
    // DICOM peers are refused by the flows beside this one
    expect(rows.filter((one) => one.user_id !== '' && one.act !== 'role/list')).toEqual([])
  },
)

interface Refusal {
  act: string
  count: number
  /** Empty of a DICOM peer. */
  user_id: string
}

async function listRefusals(): Promise<Refusal[]> {
  const { refusals } = await callWell(server().address, 'audit/refused', { sid, account_id })
  return refusals as Refusal[] // the wire's
}

async function countOf(act: string): Promise<number> {
  return (await listRefusals()).filter((one) => one.act === act).reduce((sum, { count }) => sum + count, 0)
}
