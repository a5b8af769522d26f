import type { ObjectWriter } from '../../outbound/storage/object-store.ts'
import type { ImageFacts } from '../storage/image-facts.ts'
import type { IngestedStudyKey } from '../storage/ingest.sql.ts'
import type { KnownVersion } from './reached-records.sql.ts'

/** An image whose bytes are written and which is not listed yet. */
export type ArrivedImage = IngestedStudyKey & {
  account_uuid: string
  source: 'upload' | 'harvest'
  /** AE title of the sender, or empty. */
  sourceName: string
  actor: string | null
  isByKey: boolean
  quietSeconds: number
  /** No record shows the study yet, and none is made for it. */
  isUnshown: boolean
  /** The history of the exam tells of the image by another act. */
  isOnRecord: boolean
  /** The bytes, which the commit finishes. */
  writer: ObjectWriter
  /** Hex. */
  sha256: string
  version: string
  crc32: number
  sentCrc32: number
  tailCrc32: number | null
  pixelOffset: number | null
  length: number
  preambleBlank: boolean
  bareStart: number | null
  facts: ImageFacts
  /** Versions of the same image that it was compared with, and in what they differ; undefined where that cannot be told. */
  compared: ReadonlyMap<string, ImageDifference | undefined>
  /** The version that holds the same in another writing. */
  sameAs: string | undefined
}

/** In what two versions of an image differ. */
export type ImageDifference = {
  /** Paths of attributes as the comparison gives them, the first of many. */
  attributes: string[]
  attribute_count: number
  pixels: boolean
  /** From 0; the first of many. */
  frames: number[]
}

/**
 * The outcome for an image. duplicate: the same bytes were there, or others that hold the same. conflict: another image
 * has this SOP Instance UID; that one stays shown, and this one is kept beside it.
 */
export type ArrivalOutcome = 'stored' | 'duplicate' | 'conflict'
/** Not listed, because versions of the image are there that it was not compared with. */
type Uncompared = { outcome: 'uncompared'; others: KnownVersion[] }
/** `elsewhere`: other studies of the namespace that hold an image of its SOP UID. */
type Decided = { outcome: ArrivalOutcome; elsewhere: string[] }
export type CommittedImage = Decided | Uncompared

export type PlacedImage = { image: ArrivedImage; studyKey: number; isPrimary: boolean } & (
  | { outcome: ArrivalOutcome }
  | Uncompared
)
/** One that goes into the listing. */
export type FreshImage = PlacedImage & { outcome: 'stored' | 'conflict' }

export function isFresh(placed: PlacedImage): placed is FreshImage {
  return placed.outcome === 'stored' || placed.outcome === 'conflict'
}

/** Decides what each image of a batch is beside what is stored and what came before it in the batch. */
export function placeImages(
  images: readonly ArrivedImage[],
  studyKeyOf: (image: ArrivedImage) => number,
  known: readonly KnownVersion[],
): PlacedImage[] {
  const bySop = Map.groupBy(known, (one) => `${one.study_key}/${one.sop_uid}`)
  return images.map((image) => {
    const { seriesUid, sopUid } = image.facts
    const studyKey = studyKeyOf(image)
    const ofStudy = `${studyKey}/${sopUid}`
    const versions = bySop.get(ofStudy) ?? []
    const ofSeries = versions.filter((one) => one.series_uid === seriesUid)
    const isThere = ofSeries.some((one) => one.version === image.version || one.version === image.sameAs)
    if (isThere) return { image, studyKey, outcome: 'duplicate', isPrimary: false }
    const others = versions.filter((one) => one.is_stored && !image.compared.has(one.version))
    if (others.length > 0) return { image, studyKey, outcome: 'uncompared', others, isPrimary: false }
    const key = { storage_namespace: image.storage_namespace, study_key: studyKey, sop_uid: sopUid }
    bySop.set(ofStudy, [...versions, { ...key, series_uid: seriesUid, version: image.version, is_stored: true }])
    const outcome = versions.length > 0 ? 'conflict' : 'stored'
    return { image, studyKey, outcome, isPrimary: ofSeries.length === 0 }
  })
}
