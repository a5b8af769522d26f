import type { Study } from '@hilum/contract/entities/study'
import { Accordion } from '@mantine/core'
import type { ReactNode } from 'react'
import { ageAt } from '../../format/age.ts'
import { formatDate, formatStamp, formatTime } from '../../format/dates.ts'
import { formatCount, formatSize } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import style from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import { HistoryTable } from './history-table.tsx'
import { SeriesThumbnails } from './series-thumbnails.tsx'

/** SUMMARY-01: thumbnails, then who, what and what happened. */
export function SummaryTab({ study }: { study: Study }) {
  return (
    <div className={style.content}>
      <SeriesThumbnails study={study} />
      <Accordion
        multiple
        defaultValue={['demographics', 'information', 'history']}
        transitionDuration={0}
        order={3}
        classNames={{
          item: style.item,
          control: style.control,
          label: style.label,
          content: style.accordionContent,
        }}
      >
        <Section value="demographics" title={t('summary.demographics')}>
          <Demographics study={study} />
        </Section>
        <Section value="information" title={t('summary.information')}>
          <Information study={study} />
        </Section>
        <Section value="history" title={t('summary.history')}>
          <HistoryTable study={study} />
        </Section>
      </Accordion>
    </div>
  )
}

function Section({ value, title, children }: { value: string; title: string; children: ReactNode }) {
  return (
    <Accordion.Item value={value}>
      <Accordion.Control>{title}</Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  )
}

function Demographics({ study }: { study: Study }) {
  const { dateFormat } = usePreferences()
  const age = ageAt(study.patient_birth_date, study.study_date, study.patient_age)
  return (
    <FactList
      facts={[
        [t('field.patientName'), nameText(study.patient_name)],
        [t('field.mrn'), study.issuer ? `${study.patientid} (${study.issuer})` : study.patientid],
        [t('field.birthDate'), formatDate(study.patient_birth_date, dateFormat)],
        [t('field.sex'), study.patient_sex],
        [t('field.age'), age ? t(`age.${age.unit}`, { count: age.count }) : ''],
        [t('field.referring'), nameText(study.referring_physician)],
      ]}
    />
  )
}

function Information({ study }: { study: Study }) {
  const { dateFormat, timeZone } = usePreferences()
  const studyDate = [formatDate(study.study_date, dateFormat), formatTime(study.study_time)].filter(Boolean).join(' ')
  return (
    <FactList
      facts={[
        [t('field.description'), study.study_description],
        [t('field.modality'), study.modality.replaceAll('\\', ', ')],
        [t('field.studyDate'), studyDate],
        [t('field.accession'), study.accession_number],
        [t('field.images'), formatCount(study.image_count)],
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
