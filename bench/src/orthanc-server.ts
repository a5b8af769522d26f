import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cpuSeconds } from './process-use.ts'
import { collectOutput, freePort, stopChild, waitFor } from './child-process.ts'
import { openConnections, succeed } from './http-client.ts'

export type OrthancServer = {
  /** `http://127.0.0.1:port`; DICOMweb lies under `/dicom-web`. */
  address: string
  dicomPort: number
  pid: number
  version: string
  cpu: () => number
  stop: () => Promise<void>
}

/** Of Debian’s packages, unless a newer one stands elsewhere. */
const program = process.env.HILUM_BENCH_ORTHANC ?? '/usr/sbin/Orthanc'
const dicomweb = process.env.HILUM_BENCH_DICOMWEB ?? '/usr/share/orthanc/plugins/libOrthancDicomWeb.so'
const START_MS = 30_000

/** Says which packages the peer lacks; undefined when it lacks none. */
export function explainMissingOrthanc(): string | undefined {
  const missing = [
    ...(existsSync(program) ? [] : ['orthanc']),
    ...(existsSync(dicomweb) ? [] : ['orthanc-dicomweb']),
    ...(spawnSync('cc', ['--version']).status === 0 ? [] : ['gcc']),
  ]
  return missing.length === 0
    ? undefined
    : `The peer cannot run: ${missing.join(', ')} missing. On Debian: apt-get install --no-install-recommends ${missing.join(' ')}`
}

/**
 * Starts Orthanc with its DICOMweb plugin over an empty folder, on loopback only.
 * @param isTuned false: as it comes, its answers waiting for delayed acknowledgements
 */
export async function startOrthanc(folder: string, isTuned = true): Promise<OrthancServer> {
  await mkdir(join(folder, 'storage'), { recursive: true })
  const [port, dicomPort] = [await freePort(), await freePort()]
  const configuration = join(folder, 'orthanc.json')
  await writeFile(configuration, JSON.stringify(settings(join(folder, 'storage'), port, dicomPort)))
  const child = spawn(program, [configuration], {
    // without TCP_NODELAY its small answers wait for the client's delayed acknowledgement
    env: { ...process.env, ...(isTuned ? { TCP_NODELAY: '1' } : {}), LD_PRELOAD: buildLoopbackBind(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(child)
  const address = `http://127.0.0.1:${port}`
  const agent = openConnections(1)
  try {
    const system = await waitFor(child, output, START_MS, () => askSystem(agent, address))
    const pid = child.pid ?? 0
    return {
      address,
      dicomPort,
      pid,
      version: String(system.Version),
      cpu: () => cpuSeconds(pid),
      stop: () => stopChild(child),
    }
  } catch (error) {
    await stopChild(child)
    throw error
  } finally {
    agent.destroy()
  }
}

async function askSystem(agent: ReturnType<typeof openConnections>, address: string) {
  try {
    const { body } = await succeed(agent, { url: `${address}/system`, isBodyRead: true })
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return undefined
    throw error
  }
}

/** A library that keeps a program's listeners on loopback when it is loaded before others; gives its path. */
export function buildLoopbackBind(folder: string): string {
  const library = join(folder, 'loopback-bind.so')
  const source = join(import.meta.dirname, 'loopback-bind.c')
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`loopback-bind.c could not be compiled:\n${built.stderr}`)
  return library
}

function settings(storage: string, port: number, dicomPort: number) {
  return {
    Name: 'bench',
    StorageDirectory: storage,
    IndexDirectory: storage,
    StorageCompression: false,
    Plugins: [dicomweb],
    HttpPort: port,
    HttpThreadsCount: 10,
    KeepAlive: true,
    RemoteAccessAllowed: true,
    AuthenticationEnabled: false,
    DicomAet: 'ORTHANC',
    DicomPort: dicomPort,
    DicomCheckCalledAet: false,
    DicomAlwaysAllowStore: true,
    UnknownSopClassAccepted: true,
    OverwriteInstances: false,
    StableAge: 2,
    DicomWeb: { Enable: true, Root: '/dicom-web/', StudiesMetadata: 'Full', SeriesMetadata: 'Full' },
  }
}

/** Orthanc's own name of a study, a series or an instance: made from the identifiers above it. */
export function orthancId(...identifiers: readonly string[]): string {
  const hash = createHash('sha1').update(identifiers.join('|')).digest('hex')
  return hash.replace(/^(.{8})(.{8})(.{8})(.{8})(.{8})$/, '$1-$2-$3-$4-$5')
}
