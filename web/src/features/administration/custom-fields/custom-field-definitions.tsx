import { customfieldList, customfieldSet } from '@hilum/contract/calls/customfield'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { type CustomFieldDefinition, definitionsQuery } from '../../../queries/custom-field-definitions.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import style from '../routing/routing.module.css'
import { DefinitionForm } from './definition-form.tsx'
import { DefinitionTable } from './definition-table.tsx'
import { objectName } from './definition-words.ts'
import { DeleteDefinition } from './delete-definition.tsx'

/** The fields that an organisation adds to its exams, orders, people and places (ENTITY-30), for those who may see and edit them. */
export function CustomFieldDefinitions() {
  const maySee = useMayCall(customfieldList)
  const mayEdit = useMayCall(customfieldSet)
  return (
    <TitledSection id="custom-fields" title={t('customFields.title')}>
      {maySee && mayEdit ? <Definitions /> : <Banner tone="failed">{t('customFields.notPermitted')}</Banner>}
    </TitledSection>
  )
}

type Opened =
  | { kind: 'form'; field: CustomFieldDefinition | undefined }
  | { kind: 'delete'; field: CustomFieldDefinition }

function Definitions() {
  const { account } = useEstablished()
  const { data, error, refetch } = useQuery(definitionsQuery(account.uuid))
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const byObject = Map.groupBy(data ?? [], (field) =>
    field.gate_key ? t('customFields.ofNominations') : objectName(field.object),
  )
  return (
    <>
      <p className={style.lead}>{t('customFields.lead')}</p>
      <div className={style.bar}>
        <Button
          size="xs"
          data-adds
          disabled={!data}
          leftSection={<IconPlus size={15} />}
          onClick={() => setOpened({ kind: 'form', field: undefined })}
        >
          {t('customFields.add')}
        </Button>
      </div>
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('customFields.failed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data?.length === 0 && (
        <p className={style.hint} role="status">
          {t('customFields.empty')}
        </p>
      )}
      {[...byObject].map(([title, fields]) => (
        <DefinitionTable
          key={title}
          title={title}
          fields={fields}
          onEdit={(field) => setOpened({ kind: 'form', field })}
          onDelete={(field) => setOpened({ kind: 'delete', field })}
        />
      ))}
      {opened?.kind === 'form' && (
        <DefinitionForm
          field={opened.field}
          others={(data ?? []).filter(({ uuid }) => uuid !== opened.field?.uuid)}
          onSaved={(name) => {
            putNotice(t('customFields.saved', { name }))
            close()
          }}
          onClose={close}
        />
      )}
      {opened?.kind === 'delete' && <DeleteDefinition field={opened.field} onClose={close} />}
    </>
  )
}
