import type { OutputOf } from '@hilum/contract/call'
import type { linkPriors } from '@hilum/contract/calls/link'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatDate } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { priorsQuery } from '../../queries/links.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DatedText } from '../../ui/dated-text.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import style from './links.module.css'
import share from './share.module.css'

type Prior = OutputOf<typeof linkPriors>['priors'][number]

interface EarlierExamsProps {
  studyUuid: string
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** The tick for the patient's earlier exams: how many and which a link would show, and which it would not. */
export function EarlierExams({ studyUuid, isChosen, onChoose }: EarlierExamsProps) {
  const { data, isError, isFetching, refetch } = useQuery(priorsQuery(studyUuid))
  const shown = data?.priors.filter(({ withheld }) => withheld === '') ?? []
  const withheld = data?.priors.filter((one) => one.withheld !== '') ?? []
  const isNone = data !== undefined && shown.length === 0
  const isVain = isNone && isChosen
  // an exam that can be shown a moment later is not one that the person agreed to
  useEffect(() => {
    if (isVain) onChoose(false)
  }, [isVain, onChoose])
  return (
    <div className={style.earlier}>
      <Checkbox
        size="xs"
        label={t('links.earlier')}
        description={
          isNone
            ? t(withheld.length > 0 ? 'links.earlierNoneShown' : 'links.earlierNone')
            : shown.length > 0
              ? t('links.earlierHint', { count: shown.length })
              : t('links.earlierLooking')
        }
        disabled={isNone}
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {isError && !data && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('links.earlierFailed')}
        </FailedBanner>
      )}
      {isChosen && shown.length > 0 && <Exams label={t('links.earlierShown')} exams={shown} />}
      {withheld.length > 0 && (isChosen || isNone) && (
        <>
          <p className={share.note}>{t('links.earlierWithheld', { count: withheld.length })}</p>
          <Exams label={t('links.earlierWithheldList')} exams={withheld} />
        </>
      )}
      {data?.more === 1 && isChosen && <p className={share.note}>{t('links.earlierMore')}</p>}
    </div>
  )
}

function Exams({ label, exams }: { label: string; exams: readonly Prior[] }) {
  const { dateFormat } = usePreferences()
  return (
    <ul className={style.earlierExams} aria-label={label}>
      {exams.map(({ uuid, study_date: date, modality, study_description: description, withheld }) => (
        <li key={uuid}>
          <DatedText>
            {[formatDate(date, dateFormat), modality.replaceAll('\\', '/'), description].filter(Boolean).join(' · ')}
          </DatedText>
          {withheld !== '' && <span className={share.reason}>{t(`links.withheld.${withheld}`)}</span>}
        </li>
      ))}
    </ul>
  )
}
