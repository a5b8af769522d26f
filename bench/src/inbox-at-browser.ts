import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@hilum/server/db/embedded-postgres'
import pg from 'pg'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildWeb } from '../../tools/web-build.mjs'
import { fillStudies } from './fill-studies.ts'
import { administrator, type HilumServer, startHilum } from './hilum-server.ts'

export interface InboxAtBrowser extends AsyncDisposable {
  chrome: Browser
  hilum: HilumServer
  /** A page at 1440×900 in which the inbox is open. @param prepare runs before the page is loaded */
  signIn: (prepare?: (page: Page) => Promise<void>) => Promise<Page>
}

/** A group of made-up studies, and a browser before it. */
export async function openInboxAtBrowser(folder: string, studies: number): Promise<InboxAtBrowser> {
  buildWeb(process.execPath)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const opened = new AsyncDisposableStack()
  try {
    const database = await startEmbeddedPostgres(join(folder, 'postgres'))
    opened.defer(() => database.stop())
    const hilum = await startHilum(join(folder, 'hilum'), database)
    opened.defer(() => hilum.stop())
    await putFirstStepsAway(hilum)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await fillStudies(client, folder, studies, [hilum.namespace]).finally(() => client.end())
    const chrome = await openChromium()
    opened.defer(() => chrome.close())
    return {
      chrome,
      hilum,
      signIn: (prepare) => signIn(chrome, hilum, prepare),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** A new organisation opens at its first steps otherwise. */
async function putFirstStepsAway({ call, sid }: HilumServer): Promise<void> {
  const { accounts } = (await call('account/list', { sid })) as { accounts: { uuid: string }[] }
  for (const { uuid } of accounts) await call('account/set', { sid, uuid, setting_first_steps: 'dismissed' })
}

const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['HILUM_CHROMIUM'] ?? installed.find(existsSync) ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      // the viewers draw by WebGL, also without a graphics card
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
      '--disable-gpu-compositing',
    ],
  })
}

async function signIn(chrome: Browser, hilum: HilumServer, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const context = await chrome.newContext({ baseURL: hilum.address, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await prepare?.(page)
  await page.goto('/')
  await page.getByLabel('Username').fill(administrator.email)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.locator('[data-card]').first().waitFor()
  return page
}
