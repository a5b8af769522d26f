import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { ageAt } from '../../format/age.ts'
import { formatDate, formatStamp, formatTime } from '../../format/dates.ts'
import { formatCount, formatSize } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { outsideMrn } from '../../queries/outside-mrn.ts'
import { studySchemaQuery } from '../../queries/study-schema.ts'
import { usePreferences } from '../../session/preferences.ts'
import { FactList } from './fact-list.tsx'

export function DemographicFacts({ study }: { study: Study }) {
  const { dateFormat } = usePreferences()
  const age = ageAt(study.patient_birth_date, study.study_date, study.patient_age)
  return (
    <FactList
      facts={[
        [t('field.patientName'), nameText(study.patient_name)],
        [t('field.mrn'), mrnText(study)],
        [t('field.birthDate'), formatDate(study.patient_birth_date, dateFormat)],
        [t('field.sex'), study.patient_sex],
        [t('field.age'), age ? t(`age.${age.unit}`, { count: age.count }) : ''],
        [t('field.referring'), nameText(study.referring_physician)],
      ]}
    />
  )
}

/** The number, and whose it is. */
function mrnText(study: Study): string {
  const { patientid: mrn, issuer } = study
  if (study.mrn_outside === 1) return t('field.mrnOutside', { mrn, outside: outsideMrn(study) })
  return mrn && issuer ? t('field.mrnIssued', { mrn, issuer }) : mrn
}

/** The exam's attributes and its source. */
export function Information({ study }: { study: Study }) {
  const { dateFormat, timeZone } = usePreferences()
  const imagesText = useImagesText(study)
  const studyDate = [formatDate(study.study_date, dateFormat), formatTime(study.study_time)].filter(Boolean).join(' ')
  return (
    <FactList
      facts={[
        [t('field.description'), study.study_description],
        [t('field.modality'), study.modality.replaceAll('\\', ', ')],
        [t('field.studyDate'), studyDate],
        [t('field.accession'), study.accession_number],
        [t('field.images'), imagesText],
        [t('field.size'), formatSize(study.size)],
        [t('field.uploaded'), formatStamp(study.created, dateFormat, timeZone)],
        [t('field.source'), study.source_ae_title],
      ]}
      wide={[
        [t('field.group'), study.phi_namespace_name],
        [t('field.studyUid'), study.study_uid],
      ]}
    />
  )
}

/** Modalities whose multi-frame images are films. */
const filming = ['US', 'IVUS', 'XA', 'XF', 'RF', 'ES', 'XC']

/** How many images there are, and of those with several frames how many pictures: "279 frames in 24 clips". */
function useImagesText(study: Study): string {
  const { image_count: count } = study // the images of a deleted study are out of reach
  const { data = [] } = useQuery({ ...studySchemaQuery(study, count), enabled: count > 0 && study.is_deleted === 0 })
  const images = data.flatMap((series) => series.images.map(({ frame_count: frames = 1 }) => ({ series, frames })))
  const frames = images.reduce((sum, image) => sum + image.frames, 0)
  if (images.length !== count || frames === count) return formatCount(count)
  const areClips = images.every((one) => one.frames > 1 && filming.includes(one.series.modality ?? ''))
  return t(areClips ? 'field.framesInClips' : 'field.framesInImages', { frames: formatCount(frames), count })
}
