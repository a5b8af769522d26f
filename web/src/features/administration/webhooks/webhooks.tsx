import { webhookList, webhookSet } from '@hilum/contract/calls/webhook'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { useTestWebhook, type Webhook, webhooksQuery } from '../../../queries/webhooks.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconChecklist, IconEdit, IconPlus, IconSend2, IconTrash } from '../../../ui/icons.ts'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import table from '../../../ui/row-table.module.css'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { RowAct } from '../grid/row-act.tsx'
import style from '../routing/routing.module.css'
import { DeleteWebhook } from './delete-webhook.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { errorText, undoneText } from './call-words.ts'
import { WebhookCalls } from './webhook-calls.tsx'
import { WebhookForm } from './webhook-form.tsx'

/** Addresses that routing rules call, for those who may view or edit webhooks. */
export function Webhooks() {
  const maySee = useMayCall(webhookList)
  return (
    <TitledSection id="webhooks" title={t('webhooks.title')}>
      {maySee ? <WebhookTable /> : <Banner tone="failed">{t('webhooks.notPermitted')}</Banner>}
    </TitledSection>
  )
}

type Opened = { kind: 'form'; webhook: Webhook | undefined } | { kind: 'calls' | 'delete'; webhook: Webhook }

function WebhookTable() {
  const { account } = useEstablished()
  const mayEdit = useMayCall(webhookSet)
  const { data, error, refetch } = useQuery(webhooksQuery(account.uuid))
  const [opened, setOpened] = useState<Opened>()
  const [secret, setSecret] = useState('')
  const test = useTestWebhook()
  const close = () => setOpened(undefined)
  const handleSaved = (made: string | undefined) => {
    close()
    setSecret(made ?? '')
  }
  const handleTest = (webhook: Webhook) =>
    test.mutate(webhook, { onSuccess: () => putNotice(t('webhooks.tested', { name: webhook.name })) })
  return (
    <>
      <p className={style.lead}>{t('webhooks.lead')}</p>
      {mayEdit && (
        <div className={style.bar}>
          <Button
            size="xs"
            data-adds
            leftSection={<IconPlus size={15} />}
            onClick={() => setOpened({ kind: 'form', webhook: undefined })}
          >
            {t('webhooks.add')}
          </Button>
        </div>
      )}
      {test.isError && <Banner tone="failed">{undoneText(test.error)}</Banner>}
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('webhooks.failed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data?.length === 0 && (
        <p className={style.hint} role="status">
          {t('webhooks.empty')}
        </p>
      )}
      {data && data.length > 0 && (
        <table className={table.table} aria-labelledby="webhooks">
          <thead>
            <tr>
              <th scope="col">{t('webhooks.name')}</th>
              <th scope="col">{t('webhooks.url')}</th>
              <th scope="col">{t('webhooks.lastError')}</th>
              <th scope="col" data-acts>
                <HeardOnly>{t('users.acts')}</HeardOnly>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((webhook) => (
              <tr key={webhook.uuid}>
                <th scope="row">
                  {webhook.name} {webhook.suspended === 1 && <span className={style.mark}>{t('webhooks.off')}</span>}
                </th>
                <td>{webhook.url}</td>
                <td>{webhook.last_error ? errorText(webhook.last_error, 0) : ''}</td>
                <td data-acts>
                  <div className={table.acts}>
                    <RowAct
                      label={t('webhooks.callsOne', { name: webhook.name })}
                      icon={IconChecklist}
                      onAct={() => setOpened({ kind: 'calls', webhook })}
                    />
                    {mayEdit && (
                      <>
                        <RowAct
                          label={t('webhooks.testOne', { name: webhook.name })}
                          icon={IconSend2}
                          onAct={() => handleTest(webhook)}
                        />
                        <RowAct
                          label={t('webhooks.editOne', { name: webhook.name })}
                          icon={IconEdit}
                          onAct={() => setOpened({ kind: 'form', webhook })}
                        />
                        <RowAct
                          label={t('webhooks.deleteOne', { name: webhook.name })}
                          icon={IconTrash}
                          onAct={() => setOpened({ kind: 'delete', webhook })}
                        />
                      </>
                    )}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {opened?.kind === 'form' && <WebhookForm webhook={opened.webhook} onSaved={handleSaved} onClose={close} />}
      {opened?.kind === 'calls' && <WebhookCalls webhook={opened.webhook} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteWebhook webhook={opened.webhook} onClose={close} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret('')} />}
    </>
  )
}
