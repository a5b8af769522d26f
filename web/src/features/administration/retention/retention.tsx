import { retentionGet } from '@hilum/contract/calls/retention'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { PageViews } from '../page-views.tsx'
import { BinGrid } from './bin-grid.tsx'
import { RetainedGrid } from './retained-grid.tsx'
import { PurgedGrid } from './purged-grid.tsx'
import { RetentionRules } from './retention-rules.tsx'

const views = ['rules', 'bin', 'kept', 'purged'] as const

/** Rules of retention, what goes for good and when, holds and dates, and what was purged. */
export function KeepingAndPurging() {
  const maySee = useMayCall(retentionGet)
  const [address, putAddress] = useAddress()
  const view = views.find((one) => one === address.get('view')) ?? 'rules'
  return (
    <TitledSection id="retention" title={t('retention.title')}>
      {maySee ? (
        <>
          <PageViews
            views={views}
            shown={view}
            label={t('retention.views')}
            nameOf={(one) => t(`retention.view.${one}`)}
            onShow={(chosen) =>
              putAddress({
                ...Object.fromEntries([...address.keys()].map((name) => [name, undefined])),
                view: chosen === 'rules' ? undefined : chosen,
              })
            }
          />
          {view === 'rules' && <RetentionRules />}
          {view === 'bin' && <BinGrid />}
          {view === 'kept' && <RetainedGrid />}
          {view === 'purged' && <PurgedGrid />}
        </>
      ) : (
        <Banner tone="failed">{t('retention.notPermitted')}</Banner>
      )}
    </TitledSection>
  )
}
