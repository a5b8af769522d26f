import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatDate } from '../../format/dates.ts'
import { displayName } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { useOpenedStudies } from '../../queries/opened-studies.ts'
import { studyCountQuery } from '../../queries/studies.ts'
import type { StudyView } from '../../queries/study-view.ts'
import { useHasShortcuts, usePreferences } from '../../session/preferences.ts'
import style from './nothing-selected.module.css'

const shownRecent = 5
/** Keys with their texts, and who has them: those who switched single keys off, those who did not, or all. */
const listKeys = [
  ['J', 'K', 'keys.nextPrevious', 'single'],
  ['↑', '↓', 'keys.nextPrevious', 'others'],
  ['X', undefined, 'keys.mark', 'single'],
] as const
const screenKeys = [
  ['/', undefined, 'keys.search', 'single'],
  ['?', undefined, 'keys.all', 'single'],
  ['Ctrl K', undefined, 'keys.palette', 'all'],
] as const

interface NothingSelectedProps {
  view: StudyView
  inboxes: readonly Inbox[]
}

/**
 * The pane beside the list before a study is selected: the studies that were open last, and the keys of the list. Beside a
 * list without studies nothing asks for a selection.
 */
export function NothingSelected({ view, inboxes }: NothingSelectedProps) {
  const { dateFormat } = usePreferences()
  const recent = useOpenedStudies().slice(0, shownRecent)
  const hasSeveralPlaces = new Set(recent.map((study) => study.phi_namespace)).size > 1
  const hasShortcuts = useHasShortcuts()
  const { data: count } = useQuery(studyCountQuery(view, inboxes))
  const hasStudies = count !== 0
  const keys = [...(hasStudies ? listKeys : []), ...screenKeys].filter(
    ([, , , whose]) => whose === 'all' || (whose === 'single') === hasShortcuts,
  )
  return (
    <div className={style.pane}>
      {hasStudies && <p className={style.title}>{t('exam.none')}</p>}
      {recent.length > 0 && (
        <section className={style.part} aria-labelledby="recent-studies">
          <h2 id="recent-studies">{t('exam.recent')}</h2>
          <ul>
            {recent.map((study) => (
              <li key={study.uuid}>
                <Link to="." search={(before) => ({ ...before, study: study.uuid })} className={style.study}>
                  <span className={style.name}>{displayName(study.patient_name).main || t('card.noName')}</span>
                  <span className={style.exam}>
                    {[
                      study.modality.replaceAll('\\', '/'),
                      study.study_description,
                      hasSeveralPlaces ? study.phi_namespace_name : '',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                  <span className={style.date}>{formatDate(study.study_date, dateFormat)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className={style.keys}>
        {keys.map(([key, other, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
              {other && <kbd>{other}</kbd>}
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
