import { type AgreedTextKind, maxAgreedText } from '@hilum/contract/calls/account-text'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../../api/api-failure.ts'
import { Textarea } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { useSaveText } from '../../../queries/agreed-texts.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { UnsavedGuard } from '../../../state/unsaved-guard.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { PlainText } from '../../../ui/plain-text.tsx'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { useSeen } from '../use-seen.ts'
import style from './organisation.module.css'

interface TextFormProps {
  kind: AgreedTextKind
  text: string
  /** MD5 of the text as it was read, empty without one. */
  md5: string
  onSaved: () => void
  onClose: () => void
}

/** The editor of a text, with the text as people will read it. */
export function TextForm({ kind, text, md5, onSaved, onClose }: TextFormProps) {
  const { account } = useEstablished()
  const [draft, setDraft] = useState(text)
  const save = useSaveText(account.uuid)
  const typed = draft.trim()
  const fault = typed.length > maxAgreedText ? t('texts.tooLong', { most: maxAgreedText }) : ''
  const guarded = useSeen({ md5 }, ['md5'], (seen) => save.mutate({ kind, text: typed, seen }, { onSuccess: onSaved }))
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!fault && !save.isPending) guarded.save()
  }
  const title = t(`agree.${kind}`)
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} noValidate onSubmit={handleSubmit}>
        <UnsavedGuard isDirty={draft !== text && !save.isSuccess} />
        <Textarea
          label={t('texts.text')}
          description={t('texts.textHelp')}
          rows={10}
          value={draft}
          error={fault}
          data-autofocus
          onChange={(event) => {
            setDraft(event.currentTarget.value)
            if (!save.isPending) save.reset()
          }}
        />
        <div className={style.preview}>
          <h3>{t('texts.preview')}</h3>
          {typed === '' ? <p className={style.hint}>{t('texts.previewEmpty')}</p> : <PlainText text={typed} />}
        </div>
        {typed !== '' && typed !== text && <p className={style.hint}>{t('texts.asks')}</p>}
        {save.isError && failureCode(save.error) !== 'STALE' && <Banner tone="failed">{t('texts.failed')}</Banner>}
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={guarded.saveMine} />
        <FormButtons isSaving={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
