import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collectOutput, freePort, stopChild, waitFor } from './child-process.ts'
import { buildLoopbackBind } from './orthanc-server.ts'

const START_MS = 30_000

/** DCMTK waits for delayed acknowledgements without it. */
export const quick = { ...process.env, TCP_NODELAY: '1' }

/** A DICOM node by its AE title and its port on this machine. */
export interface DicomPeer {
  title: string
  port: number
}

export interface RunningPeer {
  peer: DicomPeer
  /** Process number of the program; it may have children. */
  pid: number
  stop: () => Promise<void>
}

/** Starts a program of DCMTK on loopback and waits until it answers a C-ECHO. */
export async function startPeer(
  folder: string,
  program: string,
  args: readonly string[],
  peer: DicomPeer,
): Promise<RunningPeer> {
  const child = spawn(program, args, {
    env: { ...quick, LD_PRELOAD: buildLoopbackBind(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => stopChild(child)
  await waitFor(child, collectOutput(child), START_MS, async () => {
    const echo = spawn('echoscu', ['-aec', peer.title, '127.0.0.1', String(peer.port)], { stdio: 'ignore' })
    return (await new Promise((resolve) => echo.once('exit', resolve))) === 0 ? true : undefined
  })
  return { peer, pid: child.pid ?? 0, stop }
}

/**
 * Starts dcmqrscp over an empty folder.
 * @param images for how many of half a megabyte there is room
 * @param movesTo the nodes that it may send to by C-MOVE
 */
export async function startArchive(
  folder: string,
  images: number,
  movesTo: readonly DicomPeer[] = [],
): Promise<RunningPeer> {
  const [port, title, place] = [await freePort(), 'ARCHIVE', join(folder, 'dcmqrscp')]
  await mkdir(place, { recursive: true })
  const settings = [
    `NetworkTCPPort = ${port}`,
    'MaxPDUSize = 16384',
    'MaxAssociations = 16',
    'HostTable BEGIN',
    ...movesTo.map((one, at) => `host${at} = (${one.title}, 127.0.0.1, ${one.port})`),
    'HostTable END',
    'VendorTable BEGIN',
    'VendorTable END',
    'AETable BEGIN',
    `${title} ${place} RW (${2 * images}, ${Math.max(1024, images)}mb) ANY`,
    'AETable END',
  ]
  await writeFile(join(folder, 'dcmqrscp.cfg'), `${settings.join('\n')}\n`)
  return startPeer(folder, 'dcmqrscp', ['-c', join(folder, 'dcmqrscp.cfg')], { title, port })
}

/** Sends a folder of files by storescu over one association. */
export async function sendFolder({ title, port }: DicomPeer, folder: string): Promise<void> {
  await runProgram('storescu', ['-aec', title, '127.0.0.1', String(port), '+sd', folder])
}

/** Runs a program of DCMTK to its end. @throws Error where it does not end well */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = quick,
): Promise<void> {
  const child = spawn(program, args, { env, stdio: 'ignore' })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`)
}
