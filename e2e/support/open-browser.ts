import { existsSync, readdirSync, readFileSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'

const quietArguments = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The viewers draw by WebGL, also where there is no graphics card.
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  // Pages themselves are put together without it: through an emulated card that costs a third of a test's time.
  '--disable-gpu-compositing',
]

/** How long the screen may take to show what a test waits for, on a loaded machine. */
const PATIENCE_MS = Number(process.env['HILUM_E2E_PATIENCE_MS'] ?? 30_000)

/** Somebody at a browser of their own: nothing is shared with other people's but the server. */
export interface Person {
  page: Page
  context: BrowserContext
  /** Errors on the console, broken policies, requests that leave our server: there must be none. */
  faults: string[]
  /** Faults that this flow brings about on purpose. */
  forgive: (...patterns: RegExp[]) => void
}

/** The system's Chromium, which asks nobody anything; the one without windows where it is there, since it costs half. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: quietArguments })
}

function findBrowser(): string {
  const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  const executablePath = process.env['HILUM_CHROMIUM'] ?? installed.find(existsSync)
  if (executablePath === undefined) throw new Error(`No browser is installed: ${installed.join(', ')}`)
  return executablePath
}

export interface PersonOptions extends BrowserContextOptions {
  /** Whether pages load the viewers ahead, as most browsers have it; else this one asks them to save data. */
  loadsAhead?: boolean
}

/** A new person before a blank page; addresses are relative to `origin`. */
export async function openPerson(
  browser: Browser,
  origin: string,
  { loadsAhead = false, ...options }: PersonOptions = {},
): Promise<Person> {
  const context = await browser.newContext({ ...usual(origin), ...options })
  if (!loadsAhead) await saveData(context)
  return followPerson(context, origin)
}

/**
 * A person at a browser that keeps its profile in a folder, as on a machine of their own. The test closes it.
 * @returns also the way to kill all of its processes at once, as a machine that fails would
 */
export async function openProfile(profile: string, origin: string): Promise<Person & { kill: () => void }> {
  const launch = { executablePath: findBrowser(), args: quietArguments }
  const context = await chromium.launchPersistentContext(profile, { ...launch, ...usual(origin) })
  await saveData(context)
  const person = await followPerson(context, origin)
  return { ...person, kill: () => process.kill(-findProcess(profile), 'SIGKILL') }
}

/** The first process of the browser over a profile, which leads the group of all others. */
function findProcess(profile: string): number {
  const isOurs = (pid: string) => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words.includes(`--user-data-dir=${profile}`) && !words.some((word) => word.startsWith('--type='))
  }
  const pid = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`) && isOurs(name),
  )
  if (pid === undefined) throw new Error(`No browser runs over ${profile}`)
  return Number(pid)
}

const usual = (origin: string): BrowserContextOptions => ({
  baseURL: origin,
  viewport: { width: 1440, height: 900 },
  acceptDownloads: true,
  // Windows that slide and fade are drawn picture by picture, by the processor.
  reducedMotion: 'reduce',
})

async function followPerson(context: BrowserContext, origin: string): Promise<Person> {
  const faults: string[] = []
  const forgiven: RegExp[] = []
  const note = (fault: string) => {
    if (!forgiven.some((pattern) => pattern.test(fault))) faults.push(fault)
  }
  context.on('request', (request) => {
    const address = request.url()
    if (!/^(blob|data|about):/.test(address) && !address.startsWith(`${origin}/`)) note(`asked elsewhere: ${address}`)
    if (isOfWebApp(request, origin) && request.headers()['sdk-client-name'] !== 'USER') {
      note(`asked without saying which client asks: ${new URL(address).pathname}`)
    }
  })
  context.on('console', (message) => {
    // a page that makes too many takes the graphics context of another away, which then draws nothing any more
    const isFault = message.type() === 'error' || message.text().includes('Too many active WebGL contexts')
    if (isFault) note(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => note(`page error: ${error.error().stack ?? error.error().message}`))
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  return {
    page,
    context,
    faults,
    forgive: (...patterns) => {
      forgiven.push(...patterns)
      faults.splice(0, faults.length, ...faults.filter((fault) => !patterns.some((pattern) => pattern.test(fault))))
    },
  }
}

/** Has pages load nothing ahead: of a test in which nobody opens a viewer, starting two of them is most of the work. */
export async function saveData(context: BrowserContext): Promise<void> {
  // a window that a page opens runs scripts twice: for the empty page that it begins with, and for its own
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
  )
}

/** A request of the web app's own code to the API; pictures, frames and downloads are the browser's, the viewer is another client. */
function isOfWebApp(request: Request, origin: string): boolean {
  if (!['fetch', 'xhr'].includes(request.resourceType()) || !request.url().startsWith(`${origin}/api/v3/`)) return false
  return !/^\/(viewer|proviewer)\//.test(new URL(request.frame().url()).pathname)
}
