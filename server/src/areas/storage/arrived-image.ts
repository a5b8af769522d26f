import type { ImageFacts } from './image-facts.ts'
import type { StudyKey } from './ingest.sql.ts'
import type { KnownVersion } from './standing.sql.ts'

/** An image whose bytes are written and which is not listed yet. */
export type ArrivedImage = StudyKey & {
  account_uuid: string
  source: 'upload' | 'harvest'
  /** AE title of the sender, or empty. */
  sourceName: string
  actor: string | null
  quietSeconds: number
  objectKey: string
  /** When its bytes are on disk; fails when they cannot be brought there. */
  onDisk: Promise<void>
  /** Hex. */
  sha256: string
  version: string
  crc32: number
  sentCrc32: number
  tailCrc32: number | null
  pixelOffset: number | null
  length: number
  preambleBlank: boolean
  facts: ImageFacts
}

/**
 * What became of an image. duplicate: the same bytes were there. conflict: other bytes have this SOP Instance UID;
 * they stay the ones that are shown and these are kept beside them.
 */
export type Outcome = 'stored' | 'duplicate' | 'conflict'
export type CommittedImage = { outcome: Outcome }

export type PlacedImage = { image: ArrivedImage; studyKey: number; outcome: Outcome; isPrimary: boolean }

/** Decides what each image of a batch is beside what is stored and what came before it in the batch. */
export function placeImages(
  images: readonly ArrivedImage[],
  studyKeyOf: (image: ArrivedImage) => number,
  known: readonly KnownVersion[],
): PlacedImage[] {
  const versions = new Set(known.map((one) => `${one.study_key}/${one.series_uid}/${one.sop_uid}/${one.version}`))
  const inSeries = new Set(known.map((one) => `${one.study_key}/${one.series_uid}/${one.sop_uid}`))
  const sops = new Set(known.map((one) => `${one.study_key}/${one.sop_uid}`))
  return images.map((image) => {
    const { seriesUid, sopUid } = image.facts
    const studyKey = studyKeyOf(image)
    const ofSeries = `${studyKey}/${seriesUid}/${sopUid}`
    const ofStudy = `${studyKey}/${sopUid}`
    if (versions.has(`${ofSeries}/${image.version}`)) return { image, studyKey, outcome: 'duplicate', isPrimary: false }
    const placed: PlacedImage = {
      image,
      studyKey,
      outcome: sops.has(ofStudy) ? 'conflict' : 'stored',
      isPrimary: !inSeries.has(ofSeries),
    }
    versions.add(`${ofSeries}/${image.version}`)
    inSeries.add(ofSeries)
    sops.add(ofStudy)
    return placed
  })
}
