import { t } from '../../labels/label.ts'
import type { Gate } from '../../queries/processing.ts'
import { Banner } from '../../ui/banner.tsx'

/** Why there is no destination to choose: the group has none, or their list could not be loaded. */
export function NoDestinations({ gate }: { gate: Pick<Gate, 'isWithoutList'> }) {
  return gate.isWithoutList ? (
    <Banner tone="failed">{t('retrieve.listFailed')}</Banner>
  ) : (
    <Banner tone="neutral">{t('process.noDestinations')}</Banner>
  )
}
