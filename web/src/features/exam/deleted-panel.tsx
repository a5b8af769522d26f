import { studyRevive } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { restoreDays } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { formatStamp, parseStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { useRestoreStudies } from '../../queries/study-acts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { mayCall } from '../../session/use-may.ts'
import { useTellRestored } from '../../state/restored-message.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconRestore } from '../../ui/icons.ts'
import { retractedText } from './retracted-text.ts'
import panel from './exam-panel.module.css'
import { DemographicFacts, Information } from './summary-facts.tsx'

const dayMs = 86_400_000

/** A deleted study: what it was, who deleted it, and the way back. The images are out of reach until then. */
export function DeletedPanel({ study }: { study: Study }) {
  const { dateFormat, timeZone } = usePreferences()
  const restore = useRestoreStudies(useTellRestored())
  const when = formatStamp(study.deleted_at, dateFormat, timeZone)
  const deletedAt = parseStamp(study.deleted_at)
  const until = deletedAt
    ? formatStamp(new Date(deletedAt.getTime() + restoreDays * dayMs).toISOString(), dateFormat, timeZone)
    : undefined
  const retracted = retractedText('exam.retracted', study, dateFormat, timeZone)
  return (
    <div className={panel.body}>
      <div className={panel.content}>
        <Banner tone="priority">
          {retracted ??
            (study.deleted_by_name
              ? t('exam.deletedBy', { who: study.deleted_by_name, when })
              : t('exam.deleted'))}{' '}
          {retracted ? t('exam.retractedRestore') : until && t('exam.restoreUntil', { date: until })}{' '}
          {study.newer_uuid && t('exam.cameAgain')}
        </Banner>
        {mayCall(studyRevive, study.permissions) && (
          <div className={panel.actions}>
            <Button
              variant="default"
              leftSection={<IconRestore size={15} />}
              loading={restore.isPending}
              onClick={() => restore.mutate([study.uuid])}
            >
              {t('exam.restore')}
            </Button>
          </div>
        )}
        {(restore.isError || (restore.data && restore.data.failed > 0)) && (
          <Banner tone="failed">{t(study.newer_uuid ? 'exam.restoreDiffers' : 'exam.restoreFailed')}</Banner>
        )}
        <DemographicFacts study={study} />
        <Information study={study} />
      </div>
    </div>
  )
}
