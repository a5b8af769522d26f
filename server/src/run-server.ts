import { existsSync } from 'node:fs'
import { objectsFolder } from './outbound/storage/file-store.ts'
import { join } from 'node:path'
import { prepareViewerApart } from '@hilum/viewer/prepare-apart'
import type { Log } from './log.ts'
import { isWithoutDemo } from './arguments.ts'
import { findStoreFault } from './areas/storage/store-failure.ts'
import { tendDisk } from './areas/retention/tend-disk.command.ts'
import { findCertificate } from './certificate.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type DemoUser, makeDemo } from './demo/make-demo.ts'
import { makeFirstAccount } from './demo/make-first-account.ts'
import { type DicomListeners, openDicomListener } from './inbound/dimse/open-dicom-listener.ts'
import { type Hl7Listeners, openHl7Listener } from './inbound/hl7/open-hl7-listener.ts'
import { buildApp, buildProbeApp } from './inbound/http/app.ts'
import { listen, type Listeners } from './inbound/http/listen.ts'
import { ListenError } from './inbound/http/open-port.ts'
import type { ViewerPlace } from './inbound/http/viewer-routes.ts'
import { startWorker } from './inbound/worker/start-worker.ts'
import { openLog } from './log.ts'
import { archive, madeFolder } from './made-folder.ts'
import { openServices } from './open-services.ts'
import { readAuthorities } from './pem-files.ts'
import { watchCertificate } from './renew-certificate.ts'
import { findServiceManager } from './service-manager.ts'
import type { Services } from './services.ts'
import { processRoles } from './settings.ts'
import { tellOfClock } from './tell-of-clock.ts'
import { takeWebBuild } from './web-build.ts'

const viewers = join(madeFolder, 'viewer')

/**
 * Runs the product until it is told to stop.
 * @param args `--empty`: make no demo organisation, ask for the first administrator instead
 * @returns the exit code of the process
 */
export async function runServer(args: readonly string[]): Promise<number> {
  let renewCertificate = async () => {}
  const stopped = waitForStop(() => void renewCertificate())
  try {
    const withoutDemo = isWithoutDemo(args)
    const config = readConfig()
    const log = openLog(config.logLevel)
    // opened services are closed in the reverse order, also when a later step fails
    await using opened = new AsyncDisposableStack()
    const { services, close } = await openServices(config, log)
    opened.defer(close)
    const manager = findServiceManager(log)
    opened.defer(() => manager.close())
    await tellOfDisk(services)
    await tellOfClock(services)
    // read now, so that a file that cannot be used is told at the start and not with the first mail
    if (config.smtpAuthoritiesFile) await readAuthorities('HILUM_SMTP_CA', config.smtpAuthoritiesFile)
    const viewer: ViewerPlace = { folder: undefined }
    const isWeb = config.roles.has('web')
    const app = isWeb ? await buildApp(services, { web: takeWebBuild(), viewer }) : await buildProbeApp(services)
    opened.defer(() => app.close())
    const worker = await startWorker(services)
    opened.defer(() => worker.stop())
    const listeners = await listen(app, config)
    opened.defer(() => listeners.close())
    services.certificate.note((await findCertificate(config)).cert)
    const dicom = config.roles.has('dicom') ? await openDicomListener(services) : undefined
    opened.defer(() => dicom?.close())
    const hl7 = config.roles.has('hl7') ? await openHl7Listener(services) : undefined
    opened.defer(() => hl7?.close())
    const certificate = watchCertificate(
      services,
      [listeners, dicom, hl7].filter((one) => one !== undefined),
    )
    opened.defer(() => certificate.close())
    renewCertificate = certificate.renew
    // after the ports: fresh passwords are told once, by a start that went well
    const users = withoutDemo ? await makeFirstAccount(services) : await makeDemo(services, { dicomPort: dicom?.port })
    const preparing = new AbortController()
    const prepared = isWeb ? prepareFullViewer(viewer, log, preparing.signal) : undefined
    opened.defer(() => {
      preparing.abort()
      return prepared
    })
    welcome(config, listeners, { dicom, hl7 }, users)
    await manager.ready(`Ready at ${listeners.address}`)
    await stopped
    say('Stopping.')
    await manager.stopping()
    return 0
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    return 1
  }
}

/**
 * The first Ctrl-C or TERM stops in order; a second one ends at once. HUP says that a terminal was closed, or, where
 * there was none, that files are to be read again.
 */
function waitForStop(readAgain: () => void): Promise<void> {
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY
  if (!hasTerminal) process.on('SIGHUP', readAgain)
  return new Promise((resolve) => {
    let isFirst = true
    for (const signal of ['SIGINT', 'SIGTERM', ...(hasTerminal ? (['SIGHUP'] as const) : [])] as const) {
      process.on(signal, () => {
        // a terminal and npm both pass Ctrl-C on, so the same press may come twice
        if (isFirst) setTimeout(() => process.on(signal, () => process.exit(130)), 1_000).unref()
        isFirst = false
        resolve()
      })
    }
  })
}

/** A disk on which nothing can be stored is no reason not to start: what is there can be read. */
async function tellOfDisk(services: Services): Promise<void> {
  await tendDisk(services)
  const fault = await findStoreFault(services.store)
  if (fault === undefined) return
  services.log.error({ event: 'objects cannot be stored', reason: fault })
  say(`${fault}: ${objectsFolder(services.config.dataFolder)}. Hilum starts and can be read; it refuses uploads.`)
}

async function prepareFullViewer(viewer: ViewerPlace, log: Log, signal: AbortSignal): Promise<void> {
  if (archive !== undefined) {
    viewer.folder = join(viewers, archive.viewer)
    return
  }
  try {
    const onNamed = (dir: string) => {
      viewer.expected = dir
    }
    viewer.folder = (await prepareViewerApart({ cacheDir: viewers, signal, onNamed })).dir
  } catch (error) {
    if (signal.aborted) return
    log.warn({ event: 'full viewer not available', err: error })
    say('The full viewer could not be fetched; the quick viewer works. It is tried again at the next start.')
  }
}

function welcome(
  config: Config,
  { address, httpsAddress }: Listeners,
  { dicom, hl7 }: { dicom: DicomListeners | undefined; hl7: Hl7Listeners | undefined },
  users: readonly DemoUser[],
): void {
  const isWhole = config.roles.size === processRoles.length
  say(`Hilum is ready at ${address}${isWhole ? '' : `, as ${[...config.roles].join(' and ')}`}`)
  say(`and, for programs that need TLS, at ${httpsAddress}`)
  if (dicom)
    say(
      `DICOM senders reach it at ${config.dicom.host}:${dicom.port}${dicom.tlsPort ? `, with TLS at ${dicom.tlsPort}` : ''}`,
    )
  for (const [words, port] of [
    ['', hl7?.port],
    [' with TLS', hl7?.tlsPort],
  ] as const) {
    if (port !== undefined) say(`Orders by HL7${words} reach it at ${config.hl7.host}:${port}`)
  }
  const file = join(config.dataFolder, 'demo-users.json')
  if (users.length === 0) {
    // the first start may have been killed before it told them, and people forget
    if (existsSync(file)) say(`The demo's users and passwords are in ${file}.`)
    return
  }
  const isGiven = config.demoPassword !== undefined
  const width = Math.max(...users.map((user) => user.email.length))
  say(
    isGiven
      ? '\nSign in as one of these with the password of HILUM_DEMO_PASSWORD:'
      : '\nSign in as one of these; the passwords were made just now:',
  )
  for (const organisation of new Set(users.map((user) => user.organisation))) {
    say(`${organisation}:`)
    for (const { email, password, role } of users.filter((user) => user.organisation === organisation))
      say(`  ${email.padEnd(width)}  ${isGiven ? '' : `${password}  `}${role}`)
  }
  say(`They are kept in ${file}, for you alone to read.`)
}

function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ListenError) return error.message
  return error instanceof Error ? `Hilum could not start: ${error.message}` : 'Hilum could not start.'
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
