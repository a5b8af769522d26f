import { studyPatients } from '@hilum/contract/calls/study-patients'
import { studySplitList } from '@hilum/contract/calls/study-split'
import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { arrivalOf } from '../../labels/arrival.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { ConflictView } from './conflict-view.tsx'
import { DeletedBeforeBanner } from './deleted-before.tsx'
import { LateImages } from './late-images.tsx'
import { retractedText } from './retracted-text.ts'
import style from './exam-panel.module.css'
import { Separations } from './separations.tsx'
import { StudyPatients } from './study-patients.tsx'

interface Props {
  study: Study
  designation?: Designation | undefined
  /** Leads to where the MRN is written; undefined there, and for whoever may not. */
  onWriteMrn?: (() => void) | undefined
}

/** Warnings to read before anything is done with the study. */
export function StudyBanners({ study, designation, onWriteMrn }: Props) {
  const { dateFormat, timeZone } = usePreferences()
  const arrival = arrivalOf(study)
  const isQuiet = study.is_locked + study.thin + study.conflict_count + study.settled_count + study.mixed_patients === 0
  const isLate = [...study.study_push_status, ...(study.nomination ? [study.nomination] : [])].some(
    (one) => one.late_image_count > 0,
  )
  const isUnmatched = designation === 'GATEKEEPER' && !study.nomination
  const maySeeSeparations = useMayCall(studySplitList, study.permissions)
  const retracted = retractedText('exam.retractedBefore', study, dateFormat, timeZone)
  if (
    isQuiet &&
    !isLate &&
    !isUnmatched &&
    !maySeeSeparations &&
    !retracted &&
    !arrival &&
    !study.image_mrns &&
    !study.deleted_before?.length
  )
    return null
  return (
    <div className={style.banners}>
      {retracted && <Banner tone="priority">{retracted}</Banner>}
      <ImagePatients study={study} designation={designation} onWriteMrn={onWriteMrn} />
      {study.is_locked === 1 && (
        <Banner tone="priority">
          {study.locked_by_name
            ? t('exam.banner.locked', { who: study.locked_by_name })
            : t('exam.banner.lockedByOther')}
        </Banner>
      )}
      {study.thin === 1 && <Banner tone="neutral">{t('exam.banner.thin')}</Banner>}
      <LateImages study={study} />
      {isUnmatched && <Banner tone="neutral">{t('process.noNomination')}</Banner>}
      <Conflicts study={study} />
      <DeletedBeforeBanner study={study} />
      {arrival && <Banner tone={arrival.kind === 'incomplete' ? 'priority' : 'neutral'}>{arrival.sentence}</Banner>}
    </div>
  )
}

/**
 * Images that name several patients, or one under several MRNs, which who may edit the study can look at; and images that
 * were separated.
 */
function ImagePatients({ study, designation, onWriteMrn }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [begun, setBegun] = useState(0)
  const maySeePatients = useMayCall(studyPatients, study.permissions)
  const maySeeSeparations = useMayCall(studySplitList, study.permissions)
  const isMixed = study.mixed_patients === 1
  const mrns = study.image_mrns
  const isShown = isMixed || mrns !== undefined
  const look = maySeePatients && (
    <Button variant="default" size="compact-sm" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
      {t('mixed.look')}
    </Button>
  )
  const handleBegun = () => {
    setOpen(false)
    setBegun(begun + 1)
  }
  return (
    <>
      {isMixed && (
        <Banner tone="priority" action={look}>
          {t('exam.banner.mixed')}
        </Banner>
      )}
      {mrns && (
        <Banner
          tone="priority"
          action={
            <div className={style.bannerActs}>
              {designation !== 'GATEKEEPER' && onWriteMrn && (
                <Button variant="default" size="compact-sm" onClick={onWriteMrn}>
                  {t('severalMrns.write')}
                </Button>
              )}
              {look}
            </div>
          }
        >
          {designation === 'GATEKEEPER' && study.patientid
            ? t('severalMrns.gate', { mrns: mrns.join(', '), mrn: study.patientid })
            : t('severalMrns.text', { mrns: mrns.join(', ') })}
        </Banner>
      )}
      {isShown && isOpen && maySeePatients && (
        <StudyPatients study={study} onClose={() => setOpen(false)} onBegun={handleBegun} />
      )}
      {maySeeSeparations && <Separations study={study} begun={begun} />}
    </>
  )
}

/** Images that arrived more than once with different content; settled ones quietly, since another may be chosen. */
function Conflicts({ study }: { study: Study }) {
  const [isOpen, setOpen] = useState(false)
  const { conflict_count: open, settled_count: settled } = study
  if (open + settled === 0) return null
  const compare = (
    <Button variant="default" size="compact-sm" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
      {t('conflict.compare')}
    </Button>
  )
  return (
    <>
      <Banner tone={open > 0 ? 'priority' : 'neutral'} action={compare}>
        {open > 0 ? t('exam.banner.conflict', { count: open }) : t('exam.banner.settled', { count: settled })}
      </Banner>
      {isOpen && <ConflictView study={study} onClose={() => setOpen(false)} />}
    </>
  )
}
