import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import { ActionIcon, CopyButton } from '@mantine/core'
import { ageAt } from '../../format/age.ts'
import { formatDate, writtenFormat } from '../../format/dates.ts'
import { displayName } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { outsideMrn } from '../../queries/outside-mrn.ts'
import { usePreferences } from '../../session/preferences.ts'
import { IconCheck, IconCopy, IconX } from '../../ui/icons.ts'
import acts from './acts.module.css'
import style from './exam-head.module.css'
import { HeadActs } from './head-acts.tsx'

interface ExamHeadProps {
  study: Study
  designation: Designation | undefined
  onClose: () => void
  onDelete: () => void
}

/**
 * The patient and the exam, always in sight: the banner of every tab, the viewer's too. It has one height for every
 * study, so that nothing below moves from one to the next.
 */
export function ExamHead({ study, designation, onClose, onDelete }: ExamHeadProps) {
  const name = displayName(study.patient_name)
  return (
    <div className={style.head}>
      <div className={style.top}>
        <h2 title={[name.main, ...name.others].join(' ')}>
          <bdi>{name.main || t('card.noName')}</bdi>
          {name.others.map((other) => (
            <span key={other}>{other}</span>
          ))}
        </h2>
        <div className={acts.headActs}>
          {study.is_deleted === 0 && (
            <HeadActs study={study} designation={designation} onDelete={onDelete} onMoved={onClose} />
          )}
          <ActionIcon aria-label={t('exam.close')} size={28} onClick={onClose}>
            <IconX size={17} />
          </ActionIcon>
        </div>
      </div>
      <HeadFacts study={study} />
    </div>
  )
}

/** Labelled facts in one row. Where there is no room the description gives way first, the MRN last. */
function HeadFacts({ study }: { study: Study }) {
  const { dateFormat } = usePreferences()
  const { patientid: mrn, patient_birth_date: birthDate, study_date: studyDate } = study
  const age = ageAt(birthDate, studyDate, study.patient_age)
  const born = formatDate(birthDate, dateFormat)
  const ageText = age ? t(`age.${age.unit}`, { count: age.count }) : ''
  return (
    <dl className={style.facts}>
      <div className={style.mrn} title={mrn}>
        <dt>{study.mrn_outside === 1 ? outsideMrn(study) : t('field.mrn')}</dt>
        <dd>
          <span>{mrn || t('field.none')}</span>
          {mrn && <CopyMrn mrn={mrn} />}
        </dd>
      </div>
      <div title={formatDate(birthDate, writtenFormat)}>
        <dt>{t('head.born')}</dt>
        <dd>{(born && ageText ? t('head.bornAge', { born, age: ageText }) : born || ageText) || t('field.none')}</dd>
      </div>
      <div>
        <dt>{t('field.sex')}</dt>
        <dd>{study.patient_sex || t('field.none')}</dd>
      </div>
      <div title={formatDate(studyDate, writtenFormat)}>
        <dt>{t('field.studyDate')}</dt>
        <dd>{formatDate(studyDate, dateFormat) || t('field.none')}</dd>
      </div>
      <div className={style.exam} title={study.study_description}>
        <dt>{t('head.exam')}</dt>
        <dd>
          {[study.modality.replaceAll('\\', '/'), study.study_description].filter(Boolean).join(' · ') ||
            t('field.none')}
        </dd>
      </div>
    </dl>
  )
}

function CopyMrn({ mrn }: { mrn: string }) {
  return (
    <CopyButton value={mrn}>
      {({ copied, copy }) => (
        <ActionIcon size={24} aria-label={copied ? t('exam.copied') : t('exam.copyMrn')} onClick={copy}>
          {copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
        </ActionIcon>
      )}
    </CopyButton>
  )
}
