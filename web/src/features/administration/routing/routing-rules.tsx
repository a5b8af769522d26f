import { routeList } from '@hilum/contract/calls/route'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { RuleGrid } from './rule-grid.tsx'
import style from './routing.module.css'

/** The routing rules of the organisation, for those who may view or edit them (PERM-03). */
export function RoutingRules() {
  const maySee = useMayCall(routeList)
  return (
    <section aria-labelledby="routing">
      <h2 id="routing" className={style.heading}>
        {t('routing.title')}
      </h2>
      {maySee ? <RuleGrid /> : <Banner tone="failed">{t('routing.notPermitted')}</Banner>}
    </section>
  )
}
