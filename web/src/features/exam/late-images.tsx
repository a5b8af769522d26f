import { studyPush } from '@hilum/contract/calls/study-push'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { usePush } from '../../queries/destinations.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { pushFailureText } from './push-failure-text.ts'

/**
 * Images that came after the study was sent to a destination, and their way there; where the study was nominated, its
 * gatekeeper group has that way.
 */
export function LateImages({ study }: { study: Study }) {
  const push = usePush(study.uuid)
  const isAllowed = mayCall(studyPush, study.permissions)
  const { nomination } = study
  if (nomination?.side === 'source' && nomination.late_image_count > 0) {
    const { late_image_count: count, destination_name: name, group_name: group } = nomination
    return <Banner tone="priority">{t('pacs.lateNominated', { count, name: name.replaceAll('_', ' '), group })}</Banner>
  }
  return study.study_push_status
    .filter((one) => one.late_image_count > 0)
    .map(({ destination_uuid: destinationId, destination_name: name, late_image_count: count }) => {
      const isThis = push.variables?.destinationId === destinationId
      const send = isAllowed && nomination?.state !== 'rejected' && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('pacs.sendLateTo', { name })}
          loading={push.isPending && isThis}
          onClick={() => push.mutate({ destinationId, isLate: true })}
        >
          {t('pacs.sendLate')}
        </Button>
      )
      return (
        <Banner key={destinationId} tone="priority" action={send}>
          {t('pacs.late', { count, name })}
          {push.isError && isThis && <div>{pushFailureText(push.error, study)}</div>}
        </Banner>
      )
    })
}
