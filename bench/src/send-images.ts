import type { CtSet } from './ct-set.ts'
import type { HilumServer } from './hilum-server.ts'
import type { OrthancServer } from './orthanc-server.ts'
import { uploadAddress } from './addresses.ts'
import { inParallel, openConnections, succeed } from './http-client.ts'

export type Load = { count: number; file: (index: number) => readonly Uint8Array[] }
/** CPU seconds are those of the servers; `database` is none with a server that brings its own. */
export type Sent = { wallSeconds: number; serverCpu: number; databaseCpu: number }

/** Connections that send at the same time. */
export const SENDERS = 4

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
