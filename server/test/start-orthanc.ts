import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const program = '/usr/sbin/Orthanc'
const plugin = '/usr/share/orthanc/plugins/libOrthancDicomWeb.so'
const startMs = 30_000

/** Whether the peer cannot run here; said aloud, because what it would have judged is then unproven. */
export const isOrthancMissing = !existsSync(program) || !existsSync(plugin)
if (isOrthancMissing)
  process.stderr.write('No Orthanc with its DICOMweb plugin here: tests with that peer did NOT run\n')

export interface Orthanc {
  /** `http://127.0.0.1:port` */
  address: string
  stop: () => Promise<void>
}

/** Debian's Orthanc over an empty folder, answering this machine only, with these DICOMweb servers to be a client of. */
export async function startOrthanc(servers: Record<string, object>): Promise<Orthanc> {
  const folder = await mkdtemp(join(tmpdir(), 'hilum-orthanc-'))
  const port = await freePort()
  const configuration = join(folder, 'orthanc.json')
  await writeFile(
    configuration,
    JSON.stringify({
      StorageDirectory: folder,
      IndexDirectory: folder,
      Plugins: [plugin],
      HttpPort: port,
      RemoteAccessAllowed: false,
      AuthenticationEnabled: false,
      DicomServerEnabled: false,
      DicomWeb: { Enable: true, Root: '/dicom-web/', Servers: servers },
    }),
  )
  const child = spawn(program, [configuration], { stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`
  const stop = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  for (const deadline = Date.now() + startMs; ; await wait(100)) {
    if (await answers(`${address}/system`)) return { address, stop }
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error('Orthanc did not start')
    }
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    // not listening yet
    return false
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
