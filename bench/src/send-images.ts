import type { CtSet } from './ct-set.ts'
import type { HilumServer } from './hilum-server.ts'
import type { OrthancServer } from './orthanc-server.ts'
import { uploadAddress } from './addresses.ts'
import { inParallel, openConnections, succeed } from './http-client.ts'
import { megabytes, median, seconds, times, timesFaster } from './statistics.ts'

export type Load = { count: number; file: (index: number) => readonly Uint8Array[] }
/** CPU seconds are those of the servers; `database` is none with a server that brings its own. */
export type Sent = { wallSeconds: number; serverCpu: number; databaseCpu: number }

/** Connections that send at the same time. */
const SENDERS = 4

export function loadOf(set: CtSet): Load {
  return { count: set.sopUids.length, file: set.file }
}

/** Posts every file to our server and waits for each answer. */
export async function postToHilum(hilum: HilumServer, load: Load): Promise<Sent> {
  const before = hilum.cpu()
  const wallSeconds = await post(uploadAddress(hilum), load)
  const after = hilum.cpu()
  return { wallSeconds, serverCpu: after.server - before.server, databaseCpu: after.database - before.database }
}

/** Posts every file to Orthanc's own API, its fastest way in. */
export async function postToOrthanc(orthanc: OrthancServer, load: Load): Promise<Sent> {
  const before = orthanc.cpu()
  const wallSeconds = await post(`${orthanc.address}/instances`, load)
  return { wallSeconds, serverCpu: orthanc.cpu() - before, databaseCpu: 0 }
}

async function post(url: string, load: Load): Promise<number> {
  const agent = openConnections(SENDERS)
  const headers = { 'content-type': 'application/dicom' }
  const start = performance.now()
  await inParallel(load.count, SENDERS, async (index) => {
    await succeed(agent, { method: 'POST', url, headers, body: load.file(index) })
  })
  const wallSeconds = (performance.now() - start) / 1000
  agent.destroy()
  return wallSeconds
}

/** Time, rate and CPU of sending a set of a thousand, ours beside the peer's. */
export function speedRows(
  what: string,
  { ours, peer }: { ours: readonly Sent[]; peer: readonly Sent[] },
  bytes: number,
  goal: string,
  cpuGoal: string,
): string[][] {
  const wall = (runs: readonly Sent[]) => runs.map((one) => one.wallSeconds)
  const rate = (runs: readonly Sent[]) =>
    `${seconds(wall(runs))} (${(1000 / median(wall(runs))).toFixed(0)}/s, ${megabytes(bytes / median(wall(runs)))}/s)`
  const cpu = (runs: readonly Sent[]) => median(runs.map((one) => one.serverCpu + one.databaseCpu))
  const part = (pick: (one: Sent) => number) => median(ours.map(pick)).toFixed(2)
  return [
    [what, rate(ours), rate(peer), `${timesFaster(wall(ours), wall(peer))} as fast`, goal],
    [
      `${what}: CPU`,
      `${cpu(ours).toFixed(2)} s (server ${part((one) => one.serverCpu)}, PostgreSQL ${part((one) => one.databaseCpu)})`,
      `${cpu(peer).toFixed(2)} s`,
      `${times(cpu(ours) / cpu(peer))} its CPU`,
      cpuGoal,
    ],
  ]
}
