import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import { ActionIcon, CopyButton } from '@mantine/core'
import { ageAt } from '../../format/age.ts'
import { formatBannerDate } from '../../format/dates.ts'
import { displayName } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { IconCheck, IconCopy, IconX } from '../../ui/icons.ts'
import acts from './acts.module.css'
import style from './exam-panel.module.css'
import { HeadActs } from './head-acts.tsx'
import { outsideMrn } from '../../queries/outside-mrn.ts'

interface ExamHeadProps {
  study: Study
  designation: Designation | undefined
  onClose: () => void
  onDelete: () => void
}

/** The patient and the exam on two lines, always in sight: the banner of every tab, the viewer's too. */
export function ExamHead({ study, designation, onClose, onDelete }: ExamHeadProps) {
  const name = displayName(study.patient_name)
  const age = ageAt(study.patient_birth_date, study.study_date, study.patient_age)
  const born = formatBannerDate(study.patient_birth_date)
  const ageText = age && t(`age.${age.unit}`, { count: age.count })
  const studyDate = formatBannerDate(study.study_date)
  return (
    <div className={style.top}>
      <div className={style.who}>
        <h2>
          <bdi>{name.main || t('card.noName')}</bdi>
          {name.others.map((other) => (
            <span key={other}>{other}</span>
          ))}
        </h2>
        <p className={style.line}>
          {study.patientid && (
            <span className={style.mrn}>
              {study.patientid}
              <CopyMrn mrn={study.patientid} />
            </span>
          )}
          {study.mrn_outside === 1 && <span>{outsideMrn(study)}</span>}
          {(born || ageText) && <span>{born && ageText ? `${born} (${ageText})` : born || ageText}</span>}
          {study.patient_sex && <span>{study.patient_sex}</span>}
          {study.study_description && <span>{study.study_description}</span>}
          {studyDate && <span>{studyDate}</span>}
        </p>
      </div>
      <div className={acts.headActs}>
        {study.is_deleted === 0 && <HeadActs study={study} designation={designation} onDelete={onDelete} />}
        <ActionIcon aria-label={t('exam.close')} size={28} onClick={onClose}>
          <IconX size={17} />
        </ActionIcon>
      </div>
    </div>
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
