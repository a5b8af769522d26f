import { webhookList, webhookSet } from '@hilum/contract/calls/webhook'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import {
  noWebhookFilters,
  useTestWebhook,
  type Webhook,
  type WebhookFilters,
  webhooksQuery,
} from '../../../queries/webhooks.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { IconChecklist, IconEdit, IconPlus, IconSend2, IconTrash } from '../../../ui/icons.ts'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { RowAct } from '../grid/row-act.tsx'
import { useGridPage } from '../grid/use-grid-page.ts'
import style from '../routing/routing.module.css'
import { DeleteWebhook } from './delete-webhook.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { errorText, eventText, undoneText } from './call-words.ts'
import { WebhookCalls } from './webhook-calls.tsx'
import { WebhookForm } from './webhook-form.tsx'

/** Addresses that routing rules call, for those who may view or edit webhooks. */
export function Webhooks() {
  const maySee = useMayCall(webhookList)
  return (
    <TitledSection id="webhooks" title={t('webhooks.title')}>
      {maySee ? <WebhookGrid /> : <Banner tone="failed">{t('webhooks.notPermitted')}</Banner>}
    </TitledSection>
  )
}

type Opened = { kind: 'form'; webhook: Webhook | undefined } | { kind: 'calls' | 'delete'; webhook: Webhook }

function WebhookGrid() {
  const { account } = useEstablished()
  const mayEdit = useMayCall(webhookSet)
  const { view, handleView, typed, filters, handleFilter } = useGridPage<WebhookFilters>({
    name: 'webhooks',
    sorts: ['name', 'url', 'event', 'last_error'],
    noFilters: noWebhookFilters,
  })
  const answer = useQuery(webhooksQuery(account.uuid, view, filters))
  const { data } = answer
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
      <div className={style.bar}>
        <TextInput
          size="xs"
          aria-label={t('webhooks.find')}
          placeholder={t('webhooks.find')}
          value={typed.name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => handleFilter({ name: event.currentTarget.value })}
        />
        {mayEdit && (
          <Button
            size="xs"
            data-adds
            leftSection={<IconPlus size={15} />}
            onClick={() => setOpened({ kind: 'form', webhook: undefined })}
          >
            {t('webhooks.add')}
          </Button>
        )}
      </div>
      {test.isError && <Banner tone="failed">{undoneText(test.error)}</Banner>}
      <DataGrid
        texts={gridTexts(
          {
            label: t('webhooks.title'),
            failed: t('webhooks.failed'),
            empty: t(filters.name ? 'webhooks.noneFound' : 'webhooks.empty'),
          },
          data?.page.total,
        )}
        columns={columns()}
        rows={data?.webhooks}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
        isDimmed={({ suspended }) => suspended === 1}
        {...gridPaging(answer, view, handleView)}
        onOpen={(webhook) => setOpened(mayEdit ? { kind: 'form', webhook } : { kind: 'calls', webhook })}
        acts={webhookActs({ mayEdit, onOpen: setOpened, onTest: handleTest })}
      />
      {opened?.kind === 'form' && <WebhookForm webhook={opened.webhook} onSaved={handleSaved} onClose={close} />}
      {opened?.kind === 'calls' && <WebhookCalls webhook={opened.webhook} onClose={close} />}
      {opened?.kind === 'delete' && <DeleteWebhook webhook={opened.webhook} onClose={close} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret('')} />}
    </>
  )
}

interface WebhookActs {
  mayEdit: boolean
  onOpen: (opened: Opened) => void
  onTest: (webhook: Webhook) => void
}

function webhookActs({ mayEdit, onOpen, onTest }: WebhookActs) {
  return (webhook: Webhook, tabIndex: 0 | -1) => {
    const { name } = webhook
    return (
      <>
        <RowAct
          tabIndex={tabIndex}
          label={t('webhooks.callsOne', { name })}
          icon={IconChecklist}
          onAct={() => onOpen({ kind: 'calls', webhook })}
        />
        {mayEdit && (
          <>
            <RowAct
              tabIndex={tabIndex}
              label={t('webhooks.testOne', { name })}
              icon={IconSend2}
              onAct={() => onTest(webhook)}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('webhooks.editOne', { name })}
              icon={IconEdit}
              onAct={() => onOpen({ kind: 'form', webhook })}
            />
            <RowAct
              tabIndex={tabIndex}
              label={t('webhooks.deleteOne', { name })}
              icon={IconTrash}
              onAct={() => onOpen({ kind: 'delete', webhook })}
            />
          </>
        )}
      </>
    )
  }
}

function columns(): GridColumn<Webhook>[] {
  return [
    {
      key: 'name',
      title: t('webhooks.name'),
      sort: 'name',
      isName: true,
      cell: ({ name, suspended }) => (
        <>
          {name} {suspended === 1 && <span className={style.mark}>{t('webhooks.off')}</span>}
        </>
      ),
    },
    { key: 'event', title: t('webhooks.event'), sort: 'event', cell: ({ event }) => eventText(event) },
    { key: 'url', title: t('webhooks.url'), sort: 'url', cell: ({ url }) => url },
    {
      key: 'last',
      title: t('webhooks.lastError'),
      sort: 'last_error',
      cell: ({ last_error: error }) => (error ? errorText(error, 0) : ''),
    },
  ]
}
