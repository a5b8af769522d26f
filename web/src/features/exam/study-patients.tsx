import { studySplit } from '@hilum/contract/calls/study-split'
import type { ImagePatient } from '@hilum/contract/calls/study-patients'
import type { Study } from '@hilum/contract/entities/study'
import type { IdentityVerdict } from '@hilum/dicom/identity'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { patientsQuery } from '../../queries/study-facts.ts'
import { versionAddress } from '../../queries/study-schema.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useMayCall } from '../../session/use-may.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { compareImagePatients } from './compare-patient.ts'
import panel from './exam-panel.module.css'
import { SeparateDialog } from './separate-dialog.tsx'
import { seriesName } from './series-name.ts'
import { ShownFrame } from './shown-frame.tsx'
import style from './study-patients.module.css'

/** Series of a patient that are shown at once; the rest comes when asked for. */
const shownSeries = 12

interface StudyPatientsProps {
  study: Study
  onClose: () => void
  /** The server has begun to separate images of one of the patients. */
  onBegun: () => void
}

/** The patients that the images of a mixed study name, each with the series; other people's are separated from here. */
export function StudyPatients({ study, onClose, onBegun }: StudyPatientsProps) {
  const { data, error, refetch } = useQuery(patientsQuery(study))
  const [separated, setSeparated] = useState<ImagePatient>()
  const maySplit = useMayCall(studySplit, study.permissions)
  const own = data && findOwnPatient(study, data.patients)
  const isSeparable = maySplit && data !== undefined && data.patients.length + data.unread > 1
  return (
    <ShownFrame name={t('mixed.title')} onClose={onClose}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard */}
      <div className={style.view} tabIndex={0} role="group" aria-label={t('mixed.title')}>
        {error && (
          <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
            {t('mixed.failed')}
          </FailedBanner>
        )}
        {!error && !data && <LoadingState label={t('mixed.reading')} />}
        {data && (
          <>
            <p className={panel.note}>{data.patients.length === 1 ? t('mixed.one') : t('mixed.text')}</p>
            {data.patients.map((patient) => (
              <Patient
                key={keyOf(patient)}
                study={study}
                patient={patient}
                onSeparate={isSeparable && patient !== own ? () => setSeparated(patient) : undefined}
              />
            ))}
            {data.unread > 0 && <p className={panel.note}>{t('mixed.unread', { count: data.unread })}</p>}
          </>
        )}
      </div>
      {separated && (
        <SeparateDialog study={study} patient={separated} onClose={() => setSeparated(undefined)} onBegun={onBegun} />
      )}
    </ShownFrame>
  )
}

const keyOf = ({ patient_name, patientid, issuer, patient_birth_date, patient_sex }: ImagePatient) =>
  [patient_name, patientid, issuer, patient_birth_date, patient_sex].join('\n')

/** The patient whom the record itself names; undefined where it names none of them. */
function findOwnPatient(study: Study, patients: readonly ImagePatient[]): ImagePatient | undefined {
  const clear = patients.filter((one) => one.is_unclear === 0)
  const ofVerdict = (verdict: IdentityVerdict) =>
    clear.find((one) => compareImagePatients(study, one).verdict === verdict)
  return ofVerdict('same') ?? ofVerdict('likely') ?? clear.find((one) => namesAlike(study, one))
}

/** Too little for the comparison to call it one patient, and yet the very same words. */
const namesAlike = (study: Study, patient: ImagePatient) =>
  patient.patient_name === study.patient_name &&
  patient.patientid === study.patientid &&
  patient.patient_birth_date === study.patient_birth_date

interface PatientProps {
  study: Study
  patient: ImagePatient
  /** Undefined for the record's own patient, and for who may not separate. */
  onSeparate: (() => void) | undefined
}

function Patient({ study, patient, onSeparate }: PatientProps) {
  const { dateFormat } = usePreferences()
  const [isWhole, setWhole] = useState(false)
  const { patientid, issuer, patient_birth_date: birthDate, patient_sex: sex, spellings, images, series } = patient
  const mrn = issuer ? t('mixed.mrnOf', { mrn: patientid, issuer }) : t('mixed.mrn', { mrn: patientid })
  const facts = [
    patientid ? mrn : t('mixed.mrnNone'),
    birthDate ? t('mrn.born', { date: formatDate(birthDate, dateFormat) }) : t('mrn.bornUnknown'),
    ...(sex ? [sex] : []),
    ...(spellings > 1 ? [t('mixed.spellings', { count: spellings })] : []),
  ]
  const name = nameText(patient.patient_name) || t('card.noName')
  const rest = series.length - shownSeries
  return (
    <section className={style.patient} aria-label={name}>
      <div className={style.head}>
        <h4 className={style.name}>
          {name}
          <span className={style.count}>{t('summary.images', { count: images })}</span>
        </h4>
        {onSeparate && (
          <Button variant="default" size="compact-sm" aria-haspopup="dialog" onClick={onSeparate}>
            {t('split.open')}
          </Button>
        )}
      </div>
      <p className={style.facts}>{facts.join(' · ')}</p>
      {patient.is_unclear === 1 && <p className={style.unclear}>{t('mixed.unclear')}</p>}
      <ul className={style.series}>
        {(isWhole ? series : series.slice(0, shownSeries)).map((one) => (
          <Series key={one.series_uid} study={study} series={one} />
        ))}
      </ul>
      {rest > 0 && !isWhole && (
        <Button variant="default" size="compact-sm" className={style.more} onClick={() => setWhole(true)}>
          {t('summary.moreSeries', { count: rest })}
        </Button>
      )}
      {patient.more_series > 0 && <p className={panel.note}>{t('mixed.notNamed', { count: patient.more_series })}</p>}
    </section>
  )
}

function Series({ study, series }: { study: Study; series: ImagePatient['series'][number] }) {
  const [isWithout, setWithout] = useState(false)
  return (
    <li className={style.one}>
      {isWithout ? (
        <span className={style.noPicture}>{t('picture.none')}</span>
      ) : (
        <img
          className={style.picture}
          src={versionAddress(study, series.sop_uid, series.version)}
          alt=""
          loading="lazy"
          onError={() => setWithout(true)}
        />
      )}
      <span className={style.described}>{seriesName(series)}</span>
      <span className={style.count}>{t('summary.images', { count: series.images })}</span>
      {series.is_shared === 1 && <span className={style.shared}>{t('mixed.sharedSeries')}</span>}
    </li>
  )
}
