import { Button } from '@mantine/core'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'

interface StaleBannerProps {
  /** Why saving failed last; nothing is shown but for a change by somebody else. */
  failure: unknown
  isSaving: boolean
  /** Saves the form as it is over the other change. */
  onSaveMine: () => void
}

/** Two people at one form: the later one is told, keeps what was typed, and decides. */
export function StaleBanner({ failure, isSaving, onSaveMine }: StaleBannerProps) {
  if (failureCode(failure) !== 'STALE') return null
  return (
    <Banner
      tone="failed"
      action={
        <Button variant="default" size="compact-xs" loading={isSaving} onClick={onSaveMine}>
          {t('stale.saveMine')}
        </Button>
      }
    >
      {t('stale.text')}
    </Banner>
  )
}
