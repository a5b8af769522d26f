import { studySet } from '@hilum/contract/calls/study'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { mayCall, mayChangeField, partOf } from '../../session/use-may.ts'
import { useDraft } from '../../state/drafts.ts'
import { IconEdit } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { fieldLabel, fieldText } from '../../fields/custom-field-text.ts'
import style from './custom-fields.module.css'
import { FactList } from './fact-list.tsx'
import { PassingBanner } from '../../ui/passing-banner.tsx'

const CustomFieldForm = lazy(async () => ({ default: (await import('./custom-field-form.tsx')).CustomFieldForm }))

interface CustomFieldsProps {
  study: Study
  fields: readonly CustomField[]
  page: 'summary' | 'exchange'
  isWide?: boolean
}

/** ENTITY-30: custom fields with their values; whoever may edit the study fills them here. */
export function CustomFields({ study, fields, page, isWide = false }: CustomFieldsProps) {
  const { dateFormat } = usePreferences()
  const [draft, setDraft] = useDraft(`fields ${page} ${study.uuid}`)
  const [isOpened, setOpened] = useState(false)
  const [savedAt, setSavedAt] = useState(0)
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  const isRejected = study.nomination?.side === 'gate' && study.nomination.state === 'rejected'
  const editable =
    !isRejected && mayCall(partOf(studySet, 'fields'), study.permissions)
      ? fields.filter((field) => mayFill(study, field))
      : []
  const isEditing = editable.length > 0 && (isOpened || draft !== '')
  // The form is gone with what had the focus in it.
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  const shown = isEditing ? fields.filter((field) => !editable.includes(field)) : fields
  const facts = shown.map((field) => [fieldLabel(field), fieldText(field, dateFormat)] as const)
  const close = () => {
    setDraft('')
    setOpened(false)
  }
  return (
    <div className={style.fields}>
      {shown.length > 0 && (isWide ? <FactList facts={[]} wide={facts} /> : <FactList facts={facts} />)}
      {isEditing && (
        <Suspense fallback={<LoadingState label={t('loading')} />}>
          <CustomFieldForm
            study={study}
            fields={editable}
            draft={draft}
            onDraft={(next) => {
              setOpened(true)
              setDraft(next)
            }}
            onSaved={() => {
              close()
              setSavedAt(Date.now())
            }}
            onCancel={close}
          />
        </Suspense>
      )}
      {savedAt > 0 && !isEditing && (
        <PassingBanner key={savedAt} onGone={() => setSavedAt(0)}>
          {t('fields.saved')}
        </PassingBanner>
      )}
      {!isEditing && editable.length > 0 && (
        <Button
          ref={editButton}
          className={style.edit}
          variant="default"
          size="compact-sm"
          leftSection={<IconEdit size={14} />}
          onClick={() => setOpened(true)}
        >
          {t('fields.edit')}
        </Button>
      )}
    </div>
  )
}

/** A role may leave a field for reading only; those that it hides are not sent at all. */
function mayFill({ permissions }: Pick<Study, 'permissions'>, { uuid }: CustomField): boolean {
  return mayChangeField(`customfield_${uuid}`, permissions)
}
