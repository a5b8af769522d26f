import { routeList } from '@hilum/contract/calls/route'
import { t } from '../../../labels/label.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { RuleGrid } from './rule-grid.tsx'

/** The routing rules of the organisation, for those who may view or edit them (PERM-03). */
export function RoutingRules() {
  const maySee = useMayCall(routeList)
  return (
    <TitledSection id="routing" title={t('routing.title')}>
      {maySee ? <RuleGrid /> : <Banner tone="failed">{t('routing.notPermitted')}</Banner>}
    </TitledSection>
  )
}
