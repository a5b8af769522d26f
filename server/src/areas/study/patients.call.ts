import { maxPatientSeries, maxReadImages, type studyPatients } from '@hilum/contract/calls/study-patients'
import type { Services } from '../../services.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import { readIdentity } from '../altered/read-identity.ts'
import type { Handler } from '../handler.ts'
import { groupByPatient, type PatientGroup } from '../ingest/group-by-patient.ts'
import { atMost } from '../storage/at-most.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'
import { listImages, listSeries } from '../storage/record-images.sql.ts'
import { hiddenFields } from './field-access.policy.ts'
import { demandShown } from './hidden-names.command.ts'

/** Headers read at once, for all callers together. */
const inTurn = atMost(8)

type NamedImage = { instance: StoredInstance; identity: ArrivingIdentity }

export const patients: Handler<typeof studyPatients> = async ({ services, on }) => {
  demandShown(new Set(hiddenFields(on.membership.fieldFlags)), [
    'patient_name',
    'patientid',
    'patient_birth_date',
    'patient_sex',
  ])
  const images = eachOnce(await listImages(services.db, on.record, { isWithConflicts: true }))
  const series = await listSeries(services.db, on.record)
  const named = await readNamed(services, images.slice(0, maxReadImages), on.record.phi_namespace)
  const { groups, left } = groupByPatient(named)
  const placesOf = new Map<string, number>()
  for (const { images: own } of groups)
    for (const uid of new Set(own.map((one) => one.instance.series_uid)))
      placesOf.set(uid, (placesOf.get(uid) ?? 0) + 1)
  return {
    patients: groups.map((group) => presentGroup(group, series, placesOf)),
    unread: images.length - named.length + left.length,
  }
}

/** Several sources of a record, as a study of one's own and the same one shared, may hold one version of an image. */
function eachOnce(images: readonly StoredInstance[]): StoredInstance[] {
  const seen = new Set<string>()
  return images.filter(({ sop_uid, version }) => {
    const key = `${sop_uid}/${version}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/**
 * The images whose headers can be read, with the patients whom they name. An image that is lost says nothing; the others do.
 * @throws StoreError `slow` of a store that does not answer; no further image is asked for then
 */
async function readNamed(
  { store }: Pick<Services, 'store'>,
  images: readonly StoredInstance[],
  owner: string,
): Promise<NamedImage[]> {
  let silence: StoreError | undefined
  const readOne = async (instance: StoredInstance) => {
    if (silence) throw silence
    try {
      return await readIdentity(store, instance)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      if (error.fault !== 'slow') return undefined
      silence = error
      throw error
    }
  }
  const read = images.map(async (instance) => {
    const identity = await inTurn(() => readOne(instance), { owner })
    return identity ? [{ instance, identity }] : []
  })
  return (await Promise.all(read)).flat()
}

function presentGroup(
  { identity, spellings, images, isUnclear }: PatientGroup<NamedImage>,
  series: readonly StoredSeries[],
  placesOf: ReadonlyMap<string, number>,
) {
  const bySeries = Map.groupBy(images, (one) => one.instance.series_uid)
  const order = new Map(series.map((one, place) => [one.series_uid, { ...one, place }]))
  const placeOf = (uid: string) => order.get(uid)?.place ?? series.length
  const inOrder = [...bySeries].toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  return {
    ...identity,
    spellings,
    is_unclear: Number(isUnclear),
    images: images.length,
    series: inOrder.slice(0, maxPatientSeries).map(([series_uid, own]) => {
      const middle = own[Math.floor(own.length / 2)] as NamedImage // groups have members
      const known = order.get(series_uid)
      return {
        series_uid,
        modality: known?.modality ?? '',
        series_number: known?.series_number ?? null,
        description: known?.description ?? '',
        images: own.length,
        is_shared: Number((placesOf.get(series_uid) ?? 1) > 1),
        sop_uid: middle.instance.sop_uid,
        version: middle.instance.version,
      }
    }),
    more_series: Math.max(0, inOrder.length - maxPatientSeries),
  }
}
