import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { goneSearch } from '../../queries/saved-searches.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'

/** Says what became of a copied link: its search is not there for this reader, or could not be asked for just now. */
export function LinkNotice({ filter }: { filter: string | undefined }) {
  const router = useRouter()
  const [isTrying, setIsTrying] = useState(false)
  if (!filter) return null
  if (filter === goneSearch) return <Banner tone="failed">{t('search.linkGone')}</Banner>
  const handleRetry = async () => {
    setIsTrying(true)
    await router.invalidate()
    setIsTrying(false)
  }
  return (
    <FailedBanner retry={t('button.retry')} isRetrying={isTrying} onRetry={() => void handleRetry()}>
      {t('search.linkUnread')}
    </FailedBanner>
  )
}
