import { maxPatientSeries, maxReadImages, type studyPatients } from '@hilum/contract/calls/study-patients'
import type { Handler } from '../handler.ts'
import { groupByPatient, type PatientGroup } from '../ingest/group-by-patient.ts'
import { keyOfPatient, type NamedImage, readNamed } from '../separation/named-images.command.ts'
import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'
import { listImages, listSeries } from '../storage/record-images.sql.ts'
import { demandPatientShown } from './hidden-names.command.ts'

export const patients: Handler<typeof studyPatients> = async ({ services, on }) => {
  demandPatientShown(on.membership.fieldFlags)
  const images = eachOnce(await listImages(services.db, on.record, { isWithConflicts: true }))
  const series = await listSeries(services.db, on.record)
  const named = await readNamed(services.store, images.slice(0, maxReadImages), on.record.phi_namespace)
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
    key: keyOfPatient(identity),
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
