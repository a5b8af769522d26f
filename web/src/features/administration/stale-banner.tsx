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
  /** The changed part and the saved ones, where the form saves in parts. */
  text?: string | undefined
  /** Words of the button where it does something before it saves. */
  act?: string
}

/** Two people at one form: the later one is told, keeps what was typed, and decides. */
export function StaleBanner({ failure, isSaving, onSaveMine, text, act }: StaleBannerProps) {
  if (failureCode(failure) !== 'STALE') return null
  return (
    <Banner
      tone="failed"
      action={
        <Button variant="default" size="compact-xs" loading={isSaving} onClick={onSaveMine}>
          {act ?? t('stale.saveMine')}
        </Button>
      }
    >
      {text ?? t('stale.text')}
    </Banner>
  )
}
