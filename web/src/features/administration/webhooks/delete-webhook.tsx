import { Button } from '@mantine/core'
import { ApiFailure } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'
import { useDeleteWebhook, type Webhook } from '../../../queries/webhooks.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import style from '../routing/routing.module.css'

export function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDeleteWebhook()
  const handleDelete = () =>
    remove.mutate(webhook, {
      onSuccess: () => {
        putNotice(t('webhooks.deleted', { name: webhook.name }))
        onClose()
      },
    })
  return (
    <Dialog title={t('webhooks.ask')} closeLabel={t('button.close')} onClose={onClose}>
      <p className={style.question}>{t('webhooks.askText', { name: webhook.name })}</p>
      {remove.isError && <Banner tone="failed">{failureText(remove.error)}</Banner>}
      <div className={style.buttons}>
        <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
        <Button color="red" loading={remove.isPending} data-autofocus onClick={handleDelete}>
          {t('routing.delete')}
        </Button>
      </div>
    </Dialog>
  )
}

function failureText(failure: unknown): string {
  if (!(failure instanceof ApiFailure) || failure.code !== 'IN_USE') return t('webhooks.undone')
  const { routes = [] } = (failure.data ?? {}) as { routes?: string[] } // as the call gives them
  return t('webhooks.inUse', { names: routes.join(', ') })
}
