import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from './start-server.ts'

const run = promisify(execFile)

export const hasToolkit = spawnSync('storescu', ['--version']).status === 0
export const hasOrthanc = existsSync('/usr/sbin/Orthanc')
if (!hasToolkit) sayMissing('dcmtk')
if (!hasOrthanc) sayMissing('orthanc')

/** Where peers of a test file keep what is theirs, and how they are ended. */
export interface PeerPlace {
  folder: string
  stops: (() => Promise<void>)[]
}

/** DCMTK's receiver of C-STORE, which keeps what it gets in a folder. */
export async function startStorescp(
  { folder, stops }: PeerPlace,
  options: readonly string[],
): Promise<{ port: number; folder: string }> {
  const port = await findFreePort()
  const target = join(folder, `in-${port}`)
  mkdirSync(target)
  const child = spawn('storescp', [...options, '-pm', '-aet', 'STORE', '-od', target, String(port)], {
    env: { ...process.env, LD_PRELOAD: loopbackOnly(folder), TCP_NODELAY: '1' },
    stdio: 'ignore',
  })
  stops.push(() => ended(child))
  const answers = () =>
    run('echoscu', ['-aec', 'STORE', '127.0.0.1', String(port)]).then(
      () => true,
      () => false,
    )
  await waitUntil(answers, 'storescp')
  return { port, folder: target }
}

/** DCMTK's archive, empty. @param movesTo title and port on this machine of the node that it may send to by C-MOVE */
export async function startDcmqrscp(
  { folder, stops }: PeerPlace,
  movesTo: { title: string; port: number },
): Promise<{ port: number }> {
  const port = await findFreePort()
  const place = join(folder, `archive-${port}`)
  mkdirSync(place)
  const settings = [
    `NetworkTCPPort = ${port}`,
    'MaxPDUSize = 16384',
    'MaxAssociations = 16',
    'HostTable BEGIN',
    `hilum = (${movesTo.title}, 127.0.0.1, ${movesTo.port})`,
    'HostTable END',
    'VendorTable BEGIN',
    'VendorTable END',
    'AETable BEGIN',
    `ARCHIVE ${place} RW (100, 1024mb) ANY`,
    'AETable END',
  ]
  const configuration = join(folder, `archive-${port}.cfg`)
  writeFileSync(configuration, `${settings.join('\n')}\n`)
  const child = spawn('dcmqrscp', ['-c', configuration], {
    env: { ...process.env, LD_PRELOAD: loopbackOnly(folder), TCP_NODELAY: '1' },
    stdio: 'ignore',
  })
  stops.push(() => ended(child))
  const answers = () =>
    run('echoscu', ['-aec', 'ARCHIVE', '127.0.0.1', String(port)]).then(
      () => true,
      () => false,
    )
  await waitUntil(answers, 'dcmqrscp')
  return { port }
}

/** DCMTK's worklist, with these items as files. */
export async function startWlmscpfs(
  { folder, stops }: PeerPlace,
  items: readonly Uint8Array[],
): Promise<{ port: number }> {
  const port = await findFreePort()
  const place = join(folder, `worklists-${port}`)
  mkdirSync(join(place, 'RIS'), { recursive: true })
  writeFileSync(join(place, 'RIS', 'lockfile'), '')
  for (const [index, item] of items.entries()) writeFileSync(join(place, 'RIS', `item-${index}.wl`), item)
  // by itself this program leaves the character set of its answers out, and no name is guessed then
  const child = spawn('wlmscpfs', ['--keep-char-set', '-dfp', place, '-dfr', String(port)], {
    env: { ...process.env, LD_PRELOAD: loopbackOnly(folder), TCP_NODELAY: '1' },
    stdio: 'ignore',
  })
  stops.push(() => ended(child))
  const answers = () =>
    run('echoscu', ['-aec', 'RIS', '127.0.0.1', String(port)]).then(
      () => true,
      () => false,
    )
  await waitUntil(answers, 'wlmscpfs')
  return { port }
}

/** An empty Orthanc. @param modalities DICOM nodes that it knows: title, host and port by their names */
export async function startOrthanc(
  { folder, stops }: PeerPlace,
  modalities: Record<string, [string, string, number]> = {},
): Promise<{ address: string; dicomPort: number }> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  const storage = join(folder, `orthanc-${port}`)
  mkdirSync(storage)
  const configuration = join(folder, `orthanc-${port}.json`)
  const settings = {
    StorageDirectory: storage,
    IndexDirectory: storage,
    HttpPort: port,
    // seconds; on a busy machine a test reads on only after a while
    HttpRequestTimeout: 600,
    AuthenticationEnabled: false,
    DicomAet: 'ORTHANC',
    DicomPort: peerPort,
    DicomCheckCalledAet: false,
    DicomAlwaysAllowStore: true,
    UnknownSopClassAccepted: true,
    DicomModalities: modalities,
  }
  writeFileSync(configuration, JSON.stringify(settings))
  const child = spawn('/usr/sbin/Orthanc', [configuration], {
    env: { ...process.env, LD_PRELOAD: loopbackOnly(folder), TCP_NODELAY: '1' },
    stdio: 'ignore',
  })
  stops.push(() => ended(child))
  const address = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${address}/system`).then(
      (reply) => reply.ok,
      () => false,
    )
  await waitUntil(answers, 'Orthanc')
  return { address, dicomPort: peerPort }
}

async function waitUntil(answers: () => Promise<boolean>, name: string): Promise<void> {
  for (let k = 0; k < 300; k += 1) {
    if (await answers()) return
    await wait(200)
  }
  throw new Error(`${name} does not answer`)
}

/** The peers have no setting to listen on loopback alone. */
function loopbackOnly(folder: string): string {
  const library = join(folder, 'loopback-bind.so')
  if (!readdirSync(folder).includes('loopback-bind.so')) {
    const source = resolve(import.meta.dirname, '..', '..', 'bench', 'src', 'loopback-bind.c')
    const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { encoding: 'utf8' })
    if (built.status !== 0) throw new Error(`loopback-bind.c could not be compiled:\n${built.stderr}`)
  }
  return library
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}

function sayMissing(name: string): void {
  if (process.env['CI'] === 'true') throw new Error(`${name} is missing; with CI=true it must be there`)
  process.stderr.write(`\n!! ${name} is not installed: the DICOM flows that need it DID NOT RUN.\n\n`)
}
