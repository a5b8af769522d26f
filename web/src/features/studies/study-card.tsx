import { studyRevive } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import type { Designation } from '@hilum/contract/inbox-config'
import { ActionIcon } from '@mantine/core'
import { type MouseEvent, useId } from 'react'
import { type DateFormat, formatDate } from '../../format/dates.ts'
import { displayName, nameText } from '../../format/person-name.ts'
import { arrivalOf } from '../../labels/arrival.ts'
import { t } from '../../labels/label.ts'
import { sendingStatus } from '../../queries/study-view.ts'
import { useTagHue } from '../../session/tag-hue.ts'
import { mayCall } from '../../session/use-may.ts'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { IconAlertTriangle, IconRestore } from '../../ui/icons.ts'
import { StatusPill } from '../../ui/status-icon.tsx'
import { sexLabel, shortAge } from './card-facts.ts'
import { CardIcons } from './card-icons.tsx'
import { CardPicture } from './card-picture.tsx'
import { StarButton } from './star-button.tsx'
import style from './study-card.module.css'
import { UnreadDot } from './unread-dot.tsx'
import { WorkStatus } from './work-status.tsx'

/** LIST-18 */
const shownTags = 2

export interface StudyCardProps {
  study: Study
  designation: Designation | undefined
  /** Named in lists over several places, where one exam may stand several times. */
  place?: string | undefined
  dateFormat: DateFormat
  isSelected: boolean
  /** Where the person chose pictures. */
  hasPicture?: boolean
  /** Undefined where several cannot be marked (LIST-14). */
  isMarked: boolean | undefined
  onSelect: (study: Study, event: MouseEvent) => void
  onMark: (study: Study, isMarked: boolean, isRange: boolean) => void
  onStar: (study: Study) => void
  /** Given where deleted studies are shown to somebody who may bring them back. */
  onRestore?: (study: Study) => void
}

/** One study of the list: who, what, when, and how it stands. */
export function StudyCard(props: StudyCardProps) {
  const { study, isSelected, isMarked, onSelect, onMark } = props
  const placeId = useId()
  const name = displayName(study.patient_name)
  const spoken = nameText(study.patient_name) || t('card.noName')
  const facts = [sexLabel(study.patient_sex), shortAge(study)].filter(Boolean).join(' · ')
  return (
    <li className={style.card} data-selected={isSelected || undefined}>
      <div className={style.side}>
        {isMarked !== undefined && (
          <label className={style.mark}>
            <input
              type="checkbox"
              className={style.box}
              aria-label={t('list.select', { name: spoken })}
              checked={isMarked}
              onChange={(event) => onMark(study, event.target.checked, isShift(event.nativeEvent))}
            />
          </label>
        )}
        <StarButton study={study} name={spoken} onStar={props.onStar} />
      </div>
      <button
        type="button"
        className={style.button}
        data-card={study.uuid}
        data-picture={props.hasPicture || undefined}
        aria-current={isSelected || undefined}
        aria-describedby={props.place ? placeId : undefined}
        onClick={(event) => onSelect(study, event)}
      >
        {props.hasPicture && <CardPicture key={study.image_count} study={study} />}
        <UnreadDot study={study} className={style.unread} />
        <span className={style.row}>
          <span className={style.name} title={name.main}>
            {name.main || t('card.noName')}
          </span>
          {name.others.length > 0 && <span className={style.otherName}>{name.others[0]}</span>}
          <span className={style.facts}>{facts}</span>
          <CardIcons study={study} designation={props.designation} />
        </span>
        <span className={`${style.row} ${style.exam}`}>
          <span className={style.modality}>{study.modality.replaceAll('\\', '/') || '–'}</span>
          <Description text={study.study_description} />
          <Mrn mrn={study.patientid} />
          <span className={style.date}>{formatDate(study.study_date, props.dateFormat)}</span>
        </span>
        <Marks study={study} place={props.place} placeId={placeId} />
      </button>
      {props.onRestore && mayCall(studyRevive, study.permissions) && (
        <ActionIcon
          className={style.restore}
          size={28}
          aria-label={t('list.restoreOne', { name: spoken })}
          title={t('list.restore')}
          onClick={() => props.onRestore?.(study)}
        >
          <IconRestore size={17} />
        </ActionIcon>
      )}
    </li>
  )
}

/** Letters of an MRN that stand beside the description wherever there is a card. */
const wholeMrn = 12
const endOfMrn = 6

/**
 * Both ends of a long MRN stay in sight: the end is what tells one from the next. The parts are for the eye alone, as
 * whoever listens would hear a gap between them.
 */
function Mrn({ mrn }: { mrn: string }) {
  if (mrn.length <= wholeMrn) return <span className={style.mrn}>{mrn}</span>
  return (
    <span className={style.mrn} data-long title={mrn}>
      <HeardOnly>{mrn}</HeardOnly>
      <span className={style.mrnStart} aria-hidden="true">
        {mrn.slice(0, -endOfMrn)}
      </span>
      <span aria-hidden="true">{mrn.slice(-endOfMrn)}</span>
    </span>
  )
}

/** LIST-18: cut by the room that there is; whole for the ear and under the pointer. */
function Description({ text }: { text: string }) {
  if (!text) return <span className={`${style.description} ${style.missing}`}>{t('card.noDescription')}</span>
  return (
    <span className={style.description} title={text}>
      {text}
    </span>
  )
}

/** The third line, where there is something for it: the place, how the study stands, and its tags. */
function Marks({ study, place, placeId }: { study: Study; place: string | undefined; placeId: string }) {
  const arrival = arrivalOf(study)
  const status = sendingStatus(study)
  const tags = study.tags
  const hueOf = useTagHue()
  const sent = [...study.study_push_status, ...(study.nomination ? [study.nomination] : [])]
  const late = Math.max(0, ...sent.map((one) => one.late_image_count))
  const isQuiet = tags.length === 0 && study.mixed_patients === 0 && study.work_status === 'new'
  if (!place && !arrival && !status && isQuiet) return null
  return (
    <span className={style.marks}>
      {place && (
        // a description of the card for the ear: its name is the patient and the exam
        <span id={placeId} className={style.place} title={place} aria-hidden="true">
          {place}
        </span>
      )}
      {arrival && (
        <span className={style.arrival} data-kind={arrival.kind}>
          {arrival.percent !== undefined && (
            <span className={style.bar} aria-hidden="true">
              <span style={{ inlineSize: `${arrival.percent}%` }} />
            </span>
          )}
          {arrival.kind === 'incomplete' && <IconAlertTriangle size={12} />}
          {arrival.label}
        </span>
      )}
      {study.mixed_patients > 0 && (
        <span className={style.warning} title={t('card.mixedPatientsText')}>
          <IconAlertTriangle size={12} />
          {t('card.mixedPatients')}
        </span>
      )}
      <WorkStatus study={study} />
      {status && <StatusPill status={status} label={t(`status.${status}`)} />}
      {late > 0 && (
        <span className={style.warning} title={t('card.lateText', { count: late })}>
          <IconAlertTriangle size={12} />
          {t('card.late', { count: late })}
        </span>
      )}
      {tags.slice(0, shownTags).map((tag) => (
        <span key={tag} className={style.tag} data-tag-hue={hueOf(tag)}>
          {tag}
        </span>
      ))}
      {tags.length > shownTags && (
        <span className={style.more} title={tags.slice(shownTags).join(', ')}>
          +{tags.length - shownTags}
        </span>
      )}
    </span>
  )
}

function isShift(event: Event): boolean {
  return 'shiftKey' in event && event.shiftKey === true
}
