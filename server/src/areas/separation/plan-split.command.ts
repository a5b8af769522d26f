import { compareIdentities } from '@hilum/dicom/identity'
import { maxReadImages } from '@hilum/contract/calls/study-patients'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { groupByPatient } from '../ingest/group-by-patient.ts'
import { addIdentities } from '../ingest/patient-identity.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import type { ArrivingIdentity, StoredKey } from '../storage/ingest.sql.ts'
import { listStoredInstances } from '../storage/instance.sql.ts'
import { findOwnStored } from '../storage/record-images.sql.ts'
import { digestOfImages, keyOfPatient, type NamedImage, readNamed } from './named-images.command.ts'

/** The images that somebody chose: of one patient, all or one series; and single ones. */
type SplitChoice = {
  parts: readonly { patient: string; series_uid?: string | undefined }[]
  sopUids: readonly string[]
}

type SplitPlan = {
  key: StoredKey
  moves: NamedImage[]
  stays: NamedImage[]
  /** Images whose headers cannot be read, or beyond those that are read at once; they stay. */
  unread: number
  /** A single image that was chosen is not of the exam. */
  hasUnknown: boolean
  /** Series of which every image moves. */
  wholeSeries: string[]
  digest: string
  upToSeq: number
}

/**
 * The images of a record's own stored study by what becomes of each: those that were chosen move, versions that are not
 * shown too. Without images of its own nothing can be moved.
 */
export async function planSplit(
  { db, store }: Pick<Services, 'db' | 'store'>,
  record: StudyRecord,
  choice: SplitChoice,
): Promise<SplitPlan | undefined> {
  const key = await findOwnStored(db, record)
  if (!key) return undefined
  const images = await listStoredInstances(db, key)
  const named = await readNamed(store, images.slice(0, maxReadImages), record.phi_namespace)
  const keyOfImage = new Map(
    groupByPatient(named).groups.flatMap(({ identity, images: own }) =>
      own.map((one) => [one.instance.seq, keyOfPatient(identity)] as const),
    ),
  )
  const sops = new Set(choice.sopUids)
  const isChosen = ({ instance }: NamedImage) =>
    sops.has(instance.sop_uid) ||
    choice.parts.some(
      (part) =>
        part.patient === keyOfImage.get(instance.seq) &&
        (part.series_uid === undefined || part.series_uid === instance.series_uid),
    )
  const moves = named.filter(isChosen)
  const stays = named.filter((one) => !isChosen(one))
  const moving = new Set(moves.map(({ instance }) => instance.seq))
  const partly = new Set(images.filter(({ seq }) => !moving.has(seq)).map((one) => one.series_uid))
  return {
    key,
    moves,
    stays,
    unread: images.length - named.length,
    hasUnknown: !sops.isSubsetOf(new Set(images.map((one) => one.sop_uid))),
    wholeSeries: [...new Set(moves.map(({ instance }) => instance.series_uid))].filter((uid) => !partly.has(uid)),
    digest: digestOfImages(named),
    upToSeq: images.at(-1)?.seq ?? 0,
  }
}

/** The spellings of the patients of these images. */
export function spellingsOf(images: readonly NamedImage[]): ArrivingIdentity[] {
  return addIdentities(
    [],
    images.map(({ identity }) => identity),
  )
}

/** The spelling of most of these images. */
export function patientOfMost(images: readonly NamedImage[]): ArrivingIdentity {
  const [most] = [...Map.groupBy(images, ({ identity }) => keyOfPatient(identity)).values()].sort(
    (a, b) => b.length - a.length,
  )
  const none = { patient_name: '', patientid: '', issuer: '', patient_birth_date: '', patient_sex: '' }
  return most?.[0]?.identity ?? none
}

/** Objects that refer to an image of the other side. */
export function countLostReferences({ moves, stays }: Pick<SplitPlan, 'moves' | 'stays'>): number {
  const sopsOf = (images: readonly NamedImage[]) => new Set(images.map(({ instance }) => instance.sop_uid))
  const [moved, staying] = [sopsOf(moves), sopsOf(stays)]
  const refersTo = (sops: ReadonlySet<string>) => (one: NamedImage) => [...one.references].some((uid) => sops.has(uid))
  return moves.filter(refersTo(staying)).length + stays.filter(refersTo(moved)).length
}

/** How the identity comparison sees what moves beside what stays. */
export function compareSides(plan: Pick<SplitPlan, 'moves' | 'stays'>): 'same' | 'likely' | 'different' {
  return compareIdentities(asIdentity(patientOfMost(plan.moves)), asIdentity(patientOfMost(plan.stays))).verdict
}
