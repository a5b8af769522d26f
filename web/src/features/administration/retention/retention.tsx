import { retentionGet } from '@hilum/contract/calls/retention'
import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { BinGrid } from './bin-grid.tsx'
import { RetainedGrid } from './retained-grid.tsx'
import { PurgedGrid } from './purged-grid.tsx'
import style from './retention.module.css'
import { RetentionRules } from './retention-rules.tsx'

const views = ['rules', 'bin', 'kept', 'purged'] as const

/** Rules of retention, what goes for good and when, holds and dates, and what was purged. */
export function KeepingAndPurging() {
  const maySee = useMayCall(retentionGet)
  const [address, putAddress] = useAddress()
  const view = views.find((one) => one === address.get('view')) ?? 'rules'
  return (
    <section aria-labelledby="retention">
      <h2 id="retention" className={style.heading}>
        {t('retention.title')}
      </h2>
      {maySee ? (
        <>
          <nav aria-label={t('retention.views')} className={style.views}>
            {views.map((one) => (
              <Button
                key={one}
                size="xs"
                variant={one === view ? 'light' : 'subtle'}
                aria-current={one === view ? 'page' : undefined}
                onClick={() =>
                  putAddress({
                    ...Object.fromEntries([...address.keys()].map((name) => [name, undefined])),
                    view: one === 'rules' ? undefined : one,
                  })
                }
              >
                {t(`retention.view.${one}`)}
              </Button>
            ))}
          </nav>
          {view === 'rules' && <RetentionRules />}
          {view === 'bin' && <BinGrid />}
          {view === 'kept' && <RetainedGrid />}
          {view === 'purged' && <PurgedGrid />}
        </>
      ) : (
        <Banner tone="failed">{t('retention.notPermitted')}</Banner>
      )}
    </section>
  )
}
