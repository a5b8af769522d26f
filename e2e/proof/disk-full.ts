import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { randomFrom } from '@hilum/dicom/synthetic/random'
import { newUid } from '@hilum/dicom/uid'
import { verifySite } from './crash/crash-run.ts'
import { Ledger, type Way } from './crash/ledger.ts'
import { makeImage } from './crash/made-image.ts'
import { Senders } from './crash/senders.ts'
import { Site } from './crash/site.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'
import { SmallDisk } from './small-disk.ts'

/** Fills the disk of the objects, and that of everything, while images come in. */
export const diskFull: ProofPart = {
  name: 'disk-full',
  title: 'Full disk',
  method: `The folder of the objects, and then the whole data folder with PostgreSQL in it, lies on a small ext4 file system
that is filled to its last byte while images come in by POST, STOW-RS and C-STORE. What is refused must be refused in words
and with the status that each way has for it, nothing that was acknowledged may be lost or listed by halves, and when there is
room again everything must work again: without a restart where only the objects had no room, and otherwise at the latest after
a start. While the disk is full people sign in, list and change studies, also after a start on the full disk.`,
  run: runFull,
}

const ways: readonly Way[] = ['POST', 'STOW', 'C-STORE']
const OBJECTS_MB = 64
const EVERYTHING_MB = 700
const PATIENCE_MS = 60_000
/** Each way's refusal when the disk is full. */
const rightWords: Record<Way, RegExp> = {
  POST: /^HTTP 507 .*STORE_OPERATION_FAILED/,
  STOW: /42752/,
  'C-STORE': /^a700 /,
}

type Round = { site: Site; disk: SmallDisk; ledger: Ledger; random: () => number; refusals: Map<string, number> }

async function runFull(stage: Stage): Promise<Outcome> {
  const rounds = stage.numberOf('HILUM_PROOF_ROUNDS', 10)
  const objects = await runOn(stage, 'objects', rounds)
  const everything = await runOn(stage, 'everything', rounds)
  const count = (number: number) => number.toLocaleString('en')
  const both = [objects, everything]
  return {
    table: [
      ['What', 'Disk of the objects', 'Disk of everything'],
      ['Times filled', ...both.map(() => count(rounds))],
      ...ways.map((way) => [`Images acknowledged to ${way}`, ...both.map((one) => count(one.ledger.counts[way]))]),
      ...ways.map((way) => [`Images refused to ${way}`, ...both.map((one) => count(one.refusals.get(way) ?? 0))]),
      ['Connections that ended instead', ...both.map((one) => count(one.refusals.get('lost') ?? 0))],
      ['Starts that were needed', ...both.map((one) => count(one.site.startsMs.length))],
      ['Faults', ...both.map((one) => count(one.ledger.faults.length))],
    ],
    notes: [],
    faults: both.flatMap((one) => one.ledger.faults),
  }
}

async function runOn(stage: Stage, what: 'objects' | 'everything', rounds: number): Promise<Round> {
  const data = join(stage.folder, what)
  const site = new Site(what === 'objects' ? data : join(data, 'data'))
  const disk = new SmallDisk(`${data}.disk`, what === 'objects' ? join(data, 'objects') : data)
  await disk.make(what === 'objects' ? OBJECTS_MB : EVERYTHING_MB)
  const round: Round = {
    site,
    disk,
    ledger: new Ledger(site),
    random: randomFrom(`${stage.seed}-${what}`),
    refusals: new Map(),
  }
  try {
    await site.start()
    for (let index = 0; index < rounds; index += 1) {
      await sendUntilFull(round, what)
      await liveOn(round, what)
      await disk.free()
      await recover(round, what)
      await round.ledger.check()
      stage.say(
        `${what}: filled ${index + 1} times, ${round.ledger.length} images, ${round.ledger.faults.length} faults`,
      )
    }
    await site.server.stop()
    await verifySite(site.dataFolder, round.ledger)
    return round
  } finally {
    await site.end()
    await disk.unmount()
  }
}

/** Sends by all ways at once; in the middle of it the disk is filled. */
async function sendUntilFull({ site, disk, ledger, random, refusals }: Round, what: string): Promise<void> {
  const senders = new Senders(site)
  let isFull = false
  const lane = async (way: Way) => {
    const [studyUid, seriesUid] = [newUid(), newUid()]
    // one after the other, until the third was refused
    for (let number = 1, refused = 0; number < 100 && refused < 3; number += 1) {
      const image = makeImage(studyUid, seriesUid, number, random)
      try {
        const { taken, refusal } = await senders.send(way, [image])
        for (const { sopUid, sha256 } of taken) ledger.addImage({ way, studyUid, sopUid, sha256 })
        if (refusal === undefined) continue
        refused += 1
        count(refusals, way)
        if (!isFull || (what === 'objects' && !rightWords[way].test(refusal)))
          ledger.blame(`${way} was refused: ${refusal}`)
      } catch (error) {
        refused += 1
        count(refusals, 'lost')
        if (what === 'objects') ledger.blame(`${way} ended: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  const working = Promise.all(ways.map(lane))
  await delay(random() * 1000)
  isFull = true
  await disk.fill()
  await working
}

/** On the full disk people sign in, list, read and change; and Hilum starts there. */
async function liveOn({ site, ledger }: Round, what: string): Promise<void> {
  const faultOf = async (): Promise<string | undefined> => {
    try {
      const sid = await site.signIn()
      const { studies } = await site.call<{ studies: { uuid: string }[] }>('study/list', { sid })
      const [study] = studies
      if (!study) return 'the list is empty'
      await site.call('study/star', { sid, uuid: study.uuid, star: '1' })
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const livesWithin = async (when: string) => {
    let fault = await faultOf()
    for (const end = Date.now() + PATIENCE_MS; fault && Date.now() < end; fault = await faultOf()) await delay(500)
    if (fault) ledger.blame(`${what}, ${when}: ${fault}`)
  }
  await livesWithin('with a full disk')
  await site.server.stop()
  await site.start()
  await livesWithin('started with a full disk')
}

/** With room again a sending by each way must succeed; where the database had none, at the latest after a start. */
async function recover({ site, ledger, random }: Round, what: string): Promise<void> {
  const end = Date.now() + (what === 'objects' ? 0 : PATIENCE_MS)
  let failure = await trySending(site, ledger, random)
  while (failure && Date.now() < end && !site.server.hasEnded()) {
    await delay(500)
    failure = await trySending(site, ledger, random)
  }
  if (!failure) return
  if (what === 'objects') return ledger.blame(`with room again: ${failure}`)
  if (!site.server.hasEnded()) ledger.blame(`with room again it neither works nor ends: ${failure}`)
  await site.server.stop()
  await site.start()
  failure = await trySending(site, ledger, random)
  if (failure) ledger.blame(`after a start with room again: ${failure}`)
}

async function trySending(site: Site, ledger: Ledger, random: () => number): Promise<string | undefined> {
  const [studyUid, seriesUid] = [newUid(), newUid()]
  for (const way of ways) {
    try {
      const { taken, refusal } = await new Senders(site).send(way, [makeImage(studyUid, seriesUid, 1, random)])
      for (const { sopUid, sha256 } of taken) ledger.addImage({ way, studyUid, sopUid, sha256 })
      if (refusal) return `${way}: ${refusal}`
    } catch (error) {
      return `${way}: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return undefined
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
