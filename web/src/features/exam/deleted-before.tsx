import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { ApiFailure } from '../../api/api-failure.ts'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { useRestoreBeside } from '../../queries/study-conflicts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useTellRestored } from '../../state/restored-message.ts'
import { Banner } from '../../ui/banner.tsx'

/** Tells a person who may restore that the study was deleted before and came again. */
export function DeletedBeforeBanner({ study }: { study: Study }) {
  const { dateFormat, timeZone } = usePreferences()
  const restore = useRestoreBeside(study, useTellRestored())
  const [last] = study.deleted_before ?? []
  if (!last) return null
  const when = formatStamp(last.deleted_at, dateFormat, timeZone)
  const who = last.deleted_by_name
  return (
    <>
      <Banner
        tone="neutral"
        action={
          <Button
            variant="default"
            size="compact-sm"
            loading={restore.isPending}
            onClick={() => restore.mutate(last.uuid)}
          >
            {t('exam.restoreBeside')}
          </Button>
        }
      >
        {who ? t('exam.deletedBeforeBy', { who, when }) : t('exam.deletedBefore', { when })}
      </Banner>
      {restore.isError && <Banner tone="failed">{restoreFailure(restore.error)}</Banner>}
    </>
  )
}

/** Why a study was not restored: it would stand beside the images of somebody else. */
function restoreFailure(failure: unknown): string {
  const isOther = failure instanceof ApiFailure && failure.code === 'CAN_NOT_REVIVE' && failure.subtype !== undefined
  return t(isOther ? 'exam.restoreDiffers' : 'exam.restoreFailed')
}
