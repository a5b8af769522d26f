import { spawnSync } from 'node:child_process'
import { ctSource, makeCtSet } from './ct-set.ts'
import type { Measurement, Report, Stage } from './measurement.ts'
import { loadOf, postToHilum, postToOrthanc, type Sent, speedRows } from './send-images.ts'
import { megabytes, median, milliseconds } from './statistics.ts'

/** A thousand CT images in by POST over four connections, then the same files once more. */
export const ingest: Measurement = { name: 'ingest', title: 'Images in by POST', run }

async function run(stage: Stage): Promise<Report> {
  const fresh: Runs = { ours: [], peer: [] }
  const again: Runs = { ours: [], peer: [] }
  const asked: number[] = []
  let bytes = 0
  for (let round = 0; round < stage.repeats; round++) {
    const set = await makeCtSet(`ingest-${round}`)
    const load = loadOf(set)
    bytes = set.bytes
    const ours = async () => {
      fresh.ours.push(await postToHilum(stage.hilum, load))
      again.ours.push(await postToHilum(stage.hilum, load))
      asked.push(await askForMissing(stage, set))
    }
    const peer = async () => {
      fresh.peer.push(await postToOrthanc(stage.orthanc, load))
      again.peer.push(await postToOrthanc(stage.orthanc, load))
    }
    // the order changes each round, and no server pays for pages of the other that are still on their way to the disk
    for (const one of round % 2 === 0 ? [ours, peer] : [peer, ours]) {
      spawnSync('sync')
      await one()
    }
  }
  return {
    table: [
      ['', 'Hilum', 'Orthanc', 'Hilum is', 'goal'],
      ...speedRows('1,000 new images', fresh, bytes, '≥ 1.4 ×', 'CPU ≤ Orthanc’s'),
      ...speedRows('the same files again', again, bytes, '≥ 2.5 ×', ''),
      ['the same, asked for by study/upload/check', milliseconds(median(asked)), '–', '', '< 1 s, no bytes sent'],
    ],
    notes: [
      `${ctSource}, UIDs and numbers rewritten: 1,000 files, ${megabytes(bytes)}; 4 connections, one file a request; medians of ${stage.repeats} rounds, in turns, \`sync\` before each.`,
      'Hilum has computed SHA-256 and CRC-32 and forced file, folder and database to disk before it answers; Orthanc (SQLite without synchronous commits) has not.',
      'The sender runs on the same machine and takes its share of the CPU from both alike; CPU seconds are the servers’ alone.',
    ],
  }
}

type Runs = { ours: Sent[]; peer: Sent[] }

/** Times the browser's check before an upload. */
async function askForMissing(stage: Stage, set: Awaited<ReturnType<typeof makeCtSet>>): Promise<number> {
  const { hilum } = stage
  const instances = set.sopUids.map((sopUid) => ({
    study_uid: set.studyUid,
    sop_uid: sopUid,
  }))
  const start = performance.now()
  await hilum.call('study/upload/check', { sid: hilum.sid, namespace_id: hilum.namespace, instances })
  return performance.now() - start
}
