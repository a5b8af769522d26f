import { auditObject } from '@hilum/contract/calls/audit'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { historyChanges, historyLabel, eventNotes, studyHistoryQuery } from '../../queries/study-history.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useMayCall } from '../../session/use-may.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './exam-panel.module.css'
import { groupViews } from './group-views.ts'
import { changeText } from './history-change.ts'

/** SUMMARY-02: what happened to the study, from its audit. */
export function HistoryTable({ study }: { study: Study }) {
  const placeFlags = usePlaceFlags()
  const maySee = useMayCall(auditObject, placeFlags(study))
  const { dateFormat, timeZone } = usePreferences()
  const { data, error, refetch } = useQuery({ ...studyHistoryQuery(study.uuid), enabled: maySee })
  if (!maySee) return <p className={style.note}>{t('summary.historyNotPermitted')}</p>
  if (error && !data) {
    return (
      <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
        {t('summary.historyFailed')}
      </FailedBanner>
    )
  }
  if (!data) return <LoadingState label={t('loading')} />
  const rows = data.events.flatMap((event) => {
    const label = historyLabel(event)
    return label
      ? [{ ...event, what: t(label as 'history.upload'), changes: historyChanges(event), notes: eventNotes(event) }]
      : [] // every history text is without slots
  })
  if (rows.length === 0) return <p className={style.note}>{t('summary.historyEmpty')}</p>
  const table = (
    <table className={style.history}>
      <thead>
        <tr>
          <th scope="col">{t('summary.when')}</th>
          <th scope="col">{t('summary.who')}</th>
          <th scope="col">{t('summary.what')}</th>
        </tr>
      </thead>
      <tbody>
        {groupViews(rows).map(({ uuid, when, who, what, changes, notes, with: party, count, first }) => (
          <tr key={uuid}>
            <td>
              <DatedText>{formatStamp(when, dateFormat, timeZone)}</DatedText>
            </td>
            <td>{who}</td>
            <td>
              {party ? t('history.withParty', { what, party }) : what}
              {count > 1 && (
                <span className={style.changed}>
                  <DatedText>
                    {t('history.repeated', { count, first: formatStamp(first, dateFormat, timeZone) })}
                  </DatedText>
                </span>
              )}
              {changes.map((change) => (
                <span key={change.name} className={style.changed}>
                  <DatedText>{changeText(change, study, dateFormat, timeZone)}</DatedText>
                </span>
              ))}
              {notes.map((note) => (
                <span key={note} className={style.changed}>
                  {note}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (!data.hasMore) return table
  return (
    <>
      {table}
      <p className={style.note}>{t('summary.historyMore', { count: rows.length })}</p>
    </>
  )
}
