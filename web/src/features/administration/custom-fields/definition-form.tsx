import type { CustomFieldObject, CustomFieldType } from '@hilum/contract/calls/customfield'
import { filledGateFields } from '@hilum/contract/gate-fields'
import type { FieldAccess } from '@hilum/contract/study-field-access'
import { Checkbox, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type CustomFieldDefinition, useSaveDefinition } from '../../../queries/custom-field-definitions.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { type Seen, useSeen } from '../use-seen.ts'
import style from '../routing/routing.module.css'
import {
  type DefinitionDraft,
  type DraftFaults,
  definitionDraft,
  faultsOf,
  takesChoices,
  takesLength,
  valuesOf,
} from './definition-draft.ts'
import {
  type FieldPage,
  filledObjects,
  isOfNominations,
  objectName,
  offeredTypes,
  typeName,
} from './definition-words.ts'

interface DefinitionFormProps {
  /** Undefined for a new one. */
  field: CustomFieldDefinition | undefined
  others: readonly CustomFieldDefinition[]
  onSaved: (name: string) => void
  onClose: () => void
}

export function DefinitionForm({ field, others, onSaved, onClose }: DefinitionFormProps) {
  const { account } = useEstablished()
  const [draft, setDraft] = useState(() => definitionDraft(field))
  const [faults, setFaults] = useState<DraftFaults>({})
  const place = Math.max(0, ...others.filter((one) => one.object === draft.object).map((one) => one.display_order ?? 0))
  const isWritten = field !== undefined && isOfNominations(field)
  const save = useSaveDefinition(account.uuid, field, place + 1)
  const put = (part: Partial<DefinitionDraft>) => {
    setDraft({ ...draft, ...part })
    setFaults({})
    if (!save.isPending) save.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(draft, others, field)
    setFaults(found)
    if (Object.keys(found).length > 0 || save.isPending) return
    guarded.save()
  }
  const send = (seen: Seen) => {
    const values = valuesOf(draft, field)
    save.mutate(
      { ...values, seen, before: valuesOf(definitionDraft(field), field) },
      { onSuccess: () => onSaved(values.name) },
    )
  }
  const guarded = useSeen(field, seenFields, send)
  const title = t(field ? 'customFields.editTitle' : 'customFields.add')
  const letters = { maxLength: 200, autoComplete: 'off' }
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} noValidate onSubmit={handleSubmit}>
        <TextInput
          {...letters}
          label={t('customFields.name')}
          value={draft.name}
          error={faults.name}
          data-autofocus
          onChange={(event) => put({ name: event.currentTarget.value })}
        />
        <TextInput
          {...letters}
          label={t('customFields.shownName')}
          description={t('customFields.shownNameHelp')}
          value={draft.shownName}
          onChange={(event) => put({ shownName: event.currentTarget.value })}
        />
        {field ? (
          <p className={style.hint}>
            {objectName(field.object)}, {typeName(field.type)}. {t('customFields.kept')}
          </p>
        ) : (
          <>
            <NativeSelect
              label={t('customFields.ofWhat')}
              value={draft.object}
              data={filledObjects.map((value) => ({ value, label: objectName(value) }))}
              onChange={(event) => put({ object: event.currentTarget.value as CustomFieldObject })} // one of the options above
            />
            <NativeSelect
              label={t('customFields.type')}
              value={draft.type}
              data={offeredTypes.map((value) => ({ value, label: typeName(value) }))}
              onChange={(event) => put({ type: event.currentTarget.value as CustomFieldType })} // one of the options above
            />
          </>
        )}
        {takesChoices(draft) && (
          <Textarea
            label={t('customFields.choices')}
            description={t('customFields.choicesHelp')}
            rows={4}
            value={draft.choices}
            error={faults.choices}
            onChange={(event) => put({ choices: event.currentTarget.value })}
          />
        )}
        <TextInput
          {...letters}
          label={t('customFields.hint')}
          value={draft.hint}
          onChange={(event) => put({ hint: event.currentTarget.value })}
        />
        {takesLength(draft) && (
          <TextInput
            label={t('customFields.longest')}
            inputMode="numeric"
            autoComplete="off"
            value={draft.longest}
            error={faults.longest}
            onChange={(event) => put({ longest: event.currentTarget.value })}
          />
        )}
        {draft.type === 'date' && (
          <Checkbox
            size="xs"
            label={t('customFields.noFuture')}
            checked={draft.noFuture}
            onChange={(event) => put({ noFuture: event.currentTarget.checked })}
          />
        )}
        {!isWritten && (
          <Checkbox
            size="xs"
            label={t('customFields.required')}
            description={t('customFields.requiredHelp')}
            checked={draft.required}
            onChange={(event) => put({ required: event.currentTarget.checked })}
          />
        )}
        {draft.object === 'Study' && (
          <OfExams
            draft={draft}
            isWritten={isWritten}
            isOfSender={field !== undefined && filledGateFields.has(field.gate_key)}
            onPut={put}
          />
        )}
        {save.isError && failureCode(save.error) !== 'STALE' && (
          <Banner tone="failed">{failureText(save.error)}</Banner>
        )}
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={guarded.saveMine} />
        <FormButtons isSaving={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** Fields that saving the form would replace. */
const seenFields = ['name', 'required', 'options', 'ui_json', 'field_flag', 'capture_on_share_code'] as const

interface OfExamsProps {
  draft: DefinitionDraft
  /** Nominations write the field: nobody is asked for it. */
  isWritten: boolean
  /** The field is a choice of the sender of an exam, whatever the access says. */
  isOfSender: boolean
  onPut: (part: Partial<DefinitionDraft>) => void
}

/** The pages that show a field of exams, and the access to it. */
function OfExams({ draft, isWritten, isOfSender, onPut }: OfExamsProps) {
  const offered: readonly FieldAccess[] = isWritten ? ['F', 'H'] : ['F', 'O', 'H']
  const accesses = offered.includes(draft.access) ? offered : [...offered, draft.access]
  return (
    <>
      {!isWritten && (
        <Checkbox
          size="xs"
          label={t('customFields.captured')}
          description={t('customFields.capturedHelp')}
          checked={draft.captured}
          onChange={(event) => onPut({ captured: event.currentTarget.checked })}
        />
      )}
      <Checkbox.Group
        label={t('customFields.shown')}
        description={t('customFields.shownHelp')}
        value={draft.pages}
        onChange={(pages) => onPut({ pages: pages as FieldPage[] })} // the values below
      >
        <div className={style.checks}>
          <Checkbox size="xs" value="summary" label={t('customFields.page.summary')} />
          <Checkbox size="xs" value="exchange" label={t('customFields.page.exchange')} />
        </div>
      </Checkbox.Group>
      <NativeSelect
        label={t('customFields.who')}
        description={t(isOfSender ? 'customFields.whoHelpOfSender' : 'customFields.whoHelp')}
        value={draft.access}
        data={accesses.map((value) => ({
          value,
          label: t(isWritten && value === 'F' ? 'customFields.nominationsWrite' : `customFields.who.${value}`),
        }))}
        onChange={(event) => onPut({ access: event.currentTarget.value as FieldAccess })} // one of the options above
      />
    </>
  )
}

function failureText(failure: unknown): string {
  const isGone = failure instanceof ApiFailure && failure.code === 'NOT_FOUND'
  return t(isGone ? 'customFields.gone' : 'customFields.saveFailed')
}
