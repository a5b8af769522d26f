import { once } from 'node:events'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { makeCtSet, type CtSet } from './ct-set.ts'
import { type HilumServer, startHilum } from './hilum-server.ts'
import { hostileLoads } from './hostile-loads.ts'
import { openConnections, succeed } from './http-client.ts'
import type { LoneMeasurement, Report } from './measurement.ts'
import { residentBytes } from './process-use.ts'
import { loadOf, postToHilum } from './send-images.ts'
import { megabytes, milliseconds, percentile } from './statistics.ts'

const IMAGES = 20
const PAUSE_MS = 10
/** How often others ask while one load runs, which begins again whenever it is over. */
const ASKED = 400

/** Waits of others while one sender does harm: a list call and a frame, one after the other. */
export const others: LoneMeasurement = { name: 'others', title: 'Others beside a hostile sender', run }

async function run(folder: string): Promise<Report> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const hilum = await startHilum(join(folder, 'hilum'))
  try {
    const set = await makeCtSet('others', IMAGES)
    await postToHilum(hilum, loadOf(set))
    await ask(hilum, set)
    const rows = [row('nothing', await ask(hilum, set), hilum)]
    for (const { name } of hostileLoads) {
      const stop = await startSender(name, hilum)
      rows.push(row(name, await ask(hilum, set), hilum))
      await stop()
      await sleep(2000)
    }
    return {
      table: [['while this runs', 'list and frame: median', 'p99', 'longest', 'server’s memory then', 'goal'], ...rows],
      notes: [
        `One person asks for study/list (50 rows) and a frame in turns over one connection, with pauses of 10 ms; the sender runs in a thread beside, on the same cores but behind every other thread, as another machine’s work costs the server none of its cores, and begins again until they have asked ${ASKED} times.`,
      ],
    }
  } finally {
    await hilum.stop()
  }
}

function row(name: string, ms: readonly number[], hilum: HilumServer): string[] {
  const [median, late, longest] = [0.5, 0.99, 1].map((share) => milliseconds(percentile(ms, share)))
  return [name, median ?? '', late ?? '', longest ?? '', megabytes(residentBytes(hilum.pid)), 'p99 ≤ 100 ms']
}

/** @returns ends the sender, once it has begun to send */
async function startSender(load: string, { address, namespace, sid }: HilumServer): Promise<() => Promise<number>> {
  const workerData = { load, hilum: { address, namespace, sid } }
  const sender = new Worker(new URL('./hostile-sender.ts', import.meta.url), { workerData })
  await once(sender, 'message')
  return () => sender.terminate()
}

async function ask(hilum: HilumServer, { studyUid, seriesUid, sopUids }: CtSet): Promise<number[]> {
  const agent = openConnections(1)
  const ms: number[] = []
  const instances = `${hilum.address}/dicomweb/${hilum.namespace}/studies/${studyUid}/series/${seriesUid}/instances`
  const headers = {
    authorization: `Bearer ${hilum.sid}`,
    accept: 'multipart/related; type="application/octet-stream"; transfer-syntax=*',
  }
  const body = [Buffer.from(JSON.stringify({ sid: hilum.sid, 'page.rows': 50, sort_by: 'created-desc' }))]
  const list = {
    method: 'POST',
    url: `${hilum.address}/api/v3/study/list`,
    headers: { 'content-type': 'application/json' },
    body,
  }
  for (let count = 0; count < ASKED; count += 1) {
    const frame = { url: `${instances}/${sopUids[count % sopUids.length]}/frames/1`, headers }
    ms.push((await succeed(agent, count % 2 === 0 ? list : frame)).ms)
    await sleep(PAUSE_MS)
  }
  agent.destroy()
  return ms
}
