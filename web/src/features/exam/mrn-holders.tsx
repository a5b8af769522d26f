import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t, tRich } from '../../labels/label.ts'
import { mrnHoldersQuery } from '../../queries/study-facts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import style from './acts.module.css'
import { HolderList } from './holder-list.tsx'
import { holderText, reasonWords } from './mrn-holder-text.ts'

/** Other people under the study's MRN; nothing where there are none. */
export function MrnHolders({ study }: { study: Study }) {
  const { patientid: mrn } = study
  const { dateFormat } = usePreferences()
  const { data, error, refetch } = useQuery({ ...mrnHoldersQuery(study), enabled: mrn !== '' })
  if (error && !data) {
    return (
      <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
        {t('mrn.holdersFailed')}
      </FailedBanner>
    )
  }
  if (!data || (data.holders.length === 0 && data.elsewhere === 0)) return null
  return (
    <Banner tone="priority">
      <HolderList
        held={data}
        elsewhere={t('mrn.alsoHeldElsewhere', { mrn })}
        className={style.holders}
        render={(holder) => (
          <>
            {tRich('mrn.alsoHeld', {
              mrn,
              who: (
                <Link key="who" to="/group/list" search={{ study: holder.study_uuid }} className={style.link}>
                  {holderText(holder, dateFormat)}
                </Link>
              ),
            })}
            <span className={style.reason}>{reasonWords(holder)}</span>
          </>
        )}
      />
    </Banner>
  )
}
