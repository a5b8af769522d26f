import type { PlacedImage } from './arrived-image.ts'
import type { ArrivingIdentity, LockedStoredStudy } from '../storage/ingest.sql.ts'
import type { SeriesGain, StudyGain } from './list-images.sql.ts'
import { addIdentities } from './patient-identity.ts'

/** Additions of a batch to each series. */
export function seriesGains(fresh: readonly PlacedImage[]): SeriesGain[] {
  const gains = new Map<string, SeriesGain>()
  for (const { image, studyKey, isPrimary } of fresh) {
    const { facts } = image
    const id = `${studyKey}/${facts.seriesUid}`
    const gain = gains.get(id) ?? {
      storage_namespace: image.storage_namespace,
      study_key: studyKey,
      series_uid: facts.seriesUid,
      modality: facts.modality,
      ...facts.series,
      images: 0,
      bytes: 0,
    }
    gains.set(id, { ...gain, images: gain.images + Number(isPrimary), bytes: gain.bytes + image.length })
  }
  return [...gains.values()]
}

/** Additions of a batch to each stored study. */
export function studyGains(fresh: readonly PlacedImage[], studies: readonly LockedStoredStudy[]): StudyGain[] {
  return studies.flatMap((study) => {
    const own = fresh.filter((one) => one.studyKey === study.key)
    if (own.length === 0) return []
    return {
      storage_namespace: study.storage_namespace,
      study_uid: study.study_uid,
      generation: study.generation,
      study_key: study.key,
      images: own.filter((one) => one.isPrimary).length,
      conflicts: own.filter((one) => one.outcome === 'conflict').length,
      bytes: own.reduce((sum, one) => sum + one.image.length, 0),
      identities: addIdentities(
        study.identities,
        own.map((one) => identityOf(one)),
      ),
      modalities: [...new Set(own.map((one) => one.image.facts.modality))],
    }
  })
}

function identityOf({ image }: PlacedImage): ArrivingIdentity {
  const { patient_name, patientid, issuer, patient_birth_date, patient_sex } = image.facts.demographics
  return { patient_name, patientid, issuer, patient_birth_date, patient_sex }
}
