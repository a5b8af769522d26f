import { type FormEvent, useState } from 'react'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type CallingNode, type NodeValues, useOwnNodes } from '../../../queries/own-nodes.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { titleOfForm } from '../title-of-form.ts'
import { useSeen } from '../use-seen.ts'
import style from '../users/users.module.css'

interface OwnNodeFormProps {
  /** Undefined to add one. */
  one: CallingNode | undefined
  onClose: () => void
}

const fields = ['name', 'aetitle'] as const

/** Adds or changes a node by which we call others. A refusal of the server stands by its field. */
export function OwnNodeForm({ one, onClose }: OwnNodeFormProps) {
  const { account } = useEstablished()
  const { save } = useOwnNodes(account.uuid)
  const [before] = useState<NodeValues>(() => ({ name: one?.name ?? '', aetitle: one?.aetitle ?? '' }))
  const [values, setValues] = useState(before)
  const fault = faultOf(save.error)
  const guarded = useSeen(one, fields, (seen) =>
    save.mutate({ uuid: one?.uuid, values, before, seen }, { onSuccess: onClose }),
  )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    guarded.save()
  }
  const text = (field: (typeof fields)[number]) => ({
    label: t(field === 'name' ? 'ownNodes.name' : 'ownNodes.called'),
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    value: values[field],
    error: fault?.field === field && fault.text,
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [field]: event.currentTarget.value })
      save.reset()
    },
  })
  const title = t(one ? 'ownNodes.editTitle' : 'ownNodes.add')
  return (
    <Dialog title={titleOfForm(title, one?.aetitle)} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} onSubmit={handleSubmit}>
        {fault?.field === '' && <Banner tone="failed">{fault.text}</Banner>}
        <TextInput {...text('name')} maxLength={200} data-autofocus />
        <TextInput
          {...text('aetitle')}
          maxLength={16}
          description={t(one ? 'ownNodes.titleChanged' : 'ownNodes.titleText')}
        />
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={guarded.saveMine} />
        <FormButtons isSaving={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function faultOf(error: Error | null): { field: '' | 'name' | 'aetitle'; text: string } | undefined {
  if (!error || failureCode(error) === 'STALE') return undefined
  const failed = { field: '', text: t('ownNodes.saveFailed') } as const
  if (!(error instanceof ApiFailure)) return failed
  if (error.code === 'DUP_AETITLE') return { field: 'aetitle', text: t('ownNodes.duplicate') }
  if (error.code !== 'INVALID_VALUE' && error.code !== 'MISSING_FIELDS') return failed
  const named = [error.subtype].flat()[0]
  if (named === 'aetitle') return { field: 'aetitle', text: t('ownNodes.wrongTitle') }
  return named === 'name' ? { field: 'name', text: t('ownNodes.wrongName') } : failed
}
