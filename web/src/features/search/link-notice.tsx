import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import { goneSearch } from '../../queries/saved-searches.ts'
import { Banner } from '../../ui/banner.tsx'

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
  const retry = (
    <Button size="xs" variant="default" loading={isTrying} onClick={() => void handleRetry()}>
      {t('button.retry')}
    </Button>
  )
  return (
    <Banner tone="failed" action={retry}>
      {t('search.linkUnread')}
    </Banner>
  )
}
