import { randomFrom } from '@hilum/dicom/synthetic/random'
import { newUid } from '@hilum/dicom/uid'
import { Ledger } from './crash/ledger.ts'
import { type MadeImage, makeImage } from './crash/made-image.ts'
import { Senders } from './crash/senders.ts'
import { Site } from './crash/site.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'

/** The same object from several senders in the same moment, by every way in, with the same and with other bytes. */
export const doubleSends: ProofPart = {
  name: 'double-sends',
  title: 'Sent twice at the same time',
  method: `In each round nine senders, three each by POST, STOW-RS and C-STORE, send one SOP instance at the same moment: in
the first half all the same bytes, in the second each way its own bytes under the same name. Every sender must be told that
it is stored; the study then lists the instance once, other bytes are kept beside it and can be read by their version, and
the same bytes are kept once.`,
  run: runDoubleSends,
}

const WAYS = ['POST', 'STOW', 'C-STORE'] as const
const SENDERS_PER_WAY = 3

async function runDoubleSends(stage: Stage): Promise<Outcome> {
  const rounds = stage.numberOf('HILUM_PROOF_ROUNDS', 200)
  const site = new Site(stage.folder)
  const ledger = new Ledger(site)
  const random = randomFrom(stage.seed)
  await site.start()
  try {
    const [{ before } = { before: 0 }] = await site.query<{ before: number }>(
      'select count(*)::integer as before from blob',
    )
    const senders = new Senders(site)
    let expectedBlobs = before
    for (let round = 0; round < rounds; round += 1) {
      const isSame = round < rounds / 2
      const images = makeRound(isSame, random)
      const different = new Set(images.map((image) => image.sha256))
      expectedBlobs += different.size
      await Promise.all(
        images.map(async (image, index) => {
          const way = WAYS[index % WAYS.length] as (typeof WAYS)[number]
          const { taken, refusal } = await senders.send(way, [image])
          if (refusal) ledger.blame(`round ${round}: ${way} was refused: ${refusal}`)
          for (const { studyUid, sopUid, sha256 } of taken) ledger.addImage({ way, studyUid, sopUid, sha256 })
        }),
      )
      await checkCounts(site, ledger, images, different.size)
    }
    await ledger.check()
    const [{ after } = { after: 0 }] = await site.query<{ after: number }>(
      'select count(*)::integer as after from blob',
    )
    if (after !== expectedBlobs) ledger.blame(`${after} blobs are kept instead of ${expectedBlobs}`)
    const rows: [string, number][] = [
      ['Rounds with the same bytes', Math.ceil(rounds / 2)],
      ['Rounds with other bytes for each way', Math.floor(rounds / 2)],
      ...Object.entries(ledger.counts).map(([way, count]): [string, number] => [
        `Sendings acknowledged to ${way}`,
        count,
      ]),
      ['Objects kept', after - before],
      ['Faults', ledger.faults.length],
    ]
    return {
      table: [['What', 'Count'], ...rows.map(([what, count]) => [what, count.toLocaleString('en')])],
      notes: [],
      faults: ledger.faults,
    }
  } finally {
    await site.server.stop()
  }
}

/** One image for each sender, all under the same name. */
function makeRound(isSame: boolean, random: () => number): MadeImage[] {
  const [studyUid, seriesUid, sopUid] = [newUid(), newUid(), newUid()]
  const made = WAYS.map((_, number) => makeImage(studyUid, seriesUid, number, random, sopUid))
  const count = WAYS.length * SENDERS_PER_WAY
  return Array.from({ length: count }, (_, index) => made[isSame ? 0 : index % made.length] as MadeImage)
}

/** The study shows one image, and says how many others there are of the same name. */
async function checkCounts(site: Site, ledger: Ledger, images: readonly MadeImage[], different: number): Promise<void> {
  const studyUid = images[0]?.studyUid
  const [row] = await site.query<{ image_count: number; conflict_count: number }>(
    `select image_count, conflict_count from stored_study where study_uid = '${studyUid}'`,
  )
  if (row?.image_count !== 1 || row.conflict_count !== different - 1)
    ledger.blame(
      `${studyUid} counts ${row?.image_count} and ${row?.conflict_count} conflicts for ${different} different images`,
    )
}
