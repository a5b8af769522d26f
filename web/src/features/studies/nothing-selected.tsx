import { Link } from '@tanstack/react-router'
import { formatDate } from '../../format/dates.ts'
import { displayName } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { useOpenedStudies } from '../../queries/opened-studies.ts'
import { useHasShortcuts, usePreferences } from '../../session/preferences.ts'
import style from './nothing-selected.module.css'

const shownRecent = 5
const singleKeys = [
  ['J', 'K', 'keys.nextPrevious'],
  ['X', undefined, 'keys.mark'],
  ['/', undefined, 'keys.search'],
  ['?', undefined, 'keys.all'],
] as const
const everyonesKeys = [
  ['↑', '↓', 'keys.nextPrevious'],
  ['Ctrl K', undefined, 'keys.palette'],
] as const

/** The pane beside the list before a study is selected: the studies that were open last, and the keys of the list. */
export function NothingSelected() {
  const { dateFormat } = usePreferences()
  const recent = useOpenedStudies().slice(0, shownRecent)
  const hasSeveralPlaces = new Set(recent.map((study) => study.phi_namespace)).size > 1
  const hasShortcuts = useHasShortcuts()
  const keys = hasShortcuts ? [...singleKeys, everyonesKeys[1]] : everyonesKeys
  return (
    <div className={style.pane}>
      <p className={style.title}>{t('exam.none')}</p>
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
