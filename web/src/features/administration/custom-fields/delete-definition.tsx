import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'
import { usesText } from '../../../labels/uses-text.ts'
import {
  type CustomFieldDefinition,
  fieldUsageQuery,
  useDeleteDefinition,
} from '../../../queries/custom-field-definitions.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import style from '../routing/routing.module.css'
import { filledObjects } from './definition-words.ts'

/** Says what would be lost with a field, and deletes it once that is known. */
export function DeleteDefinition({ field, onClose }: { field: CustomFieldDefinition; onClose: () => void }) {
  const { data, error, refetch } = useQuery(fieldUsageQuery(field.uuid))
  const remove = useDeleteDefinition()
  const { name } = field
  const uses = usesText({ routes: data?.rules, groups: data?.forms })
  const handleDelete = () =>
    remove.mutate(field, {
      onSuccess: () => {
        putNotice(t('customFields.deleted', { name }))
        onClose()
      },
    })
  return (
    <Dialog title={t('customFields.ask')} closeLabel={t('button.close')} onClose={onClose}>
      <p className={style.question}>{t('customFields.askText', { name })}</p>
      {!data && !error && <LoadingState label={t('loading')} />}
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('customFields.usageFailed')}
        </FailedBanner>
      )}
      {data && data.gate === 1 && <Banner tone="failed">{t('customFields.gate')}</Banner>}
      {data && data.gate === 0 && (
        <ul className={style.question}>
          <li>{filledText(field, data.filled)}</li>
        </ul>
      )}
      {data && uses && <Banner tone="failed">{t('customFields.inUse', { uses })}</Banner>}
      {remove.isError && <Banner tone="failed">{failureText(remove.error)}</Banner>}
      <div className={style.buttons}>
        <CancelButton data-autofocus onCancel={onClose}>
          {t('button.cancel')}
        </CancelButton>
        <Button
          color="red"
          disabled={data?.gate !== 0 || uses !== ''}
          loading={remove.isPending}
          onClick={handleDelete}
        >
          {t('customFields.delete')}
        </Button>
      </div>
    </Dialog>
  )
}

function filledText({ object }: CustomFieldDefinition, count: number): string {
  if (count === 0) return t('customFields.lostNone')
  const filled = filledObjects.find((one) => one === object) ?? 'Study' // nobody fills a field of another object
  return t(`customFields.lost${filled}`, { count })
}

function failureText(failure: unknown): string {
  if (!(failure instanceof ApiFailure) || failure.code !== 'IN_USE') return t('customFields.deleteFailed')
  const uses = usesText(failure.data)
  return uses ? t('customFields.inUse', { uses }) : t('customFields.gate')
}
