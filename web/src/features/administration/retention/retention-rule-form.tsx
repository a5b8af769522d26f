import { maxRetentionDays } from '@hilum/contract/calls/retention'
import { Button, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type Retention, retentionQuery, type RuledPlace, useSetRule } from '../../../queries/retention.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { UnsavedGuard } from '../../../state/unsaved-guard.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { FormButtons } from '../form-buttons.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { optionOf } from '../users/user-filter.tsx'
import style from './retention.module.css'

interface RetentionRuleFormProps {
  /** The place of the rule; `account` for all of them, `new` where the place is chosen here. */
  of: RuledPlace | 'account' | 'new'
  days: number | null
  /** Places to choose from. */
  places: readonly RuledPlace[]
  onSaved: () => void
  onClose: () => void
}

/** The days of one rule. The first click looks at the effect, the second saves: letting exams go cannot be undone later. */
export function RetentionRuleForm({ of, days, places, onSaved, onClose }: RetentionRuleFormProps) {
  const { account } = useEstablished()
  const [typed, setTyped] = useState(days === null ? '' : String(days))
  const [placeId, setPlaceId] = useState(places[0]?.namespace_id ?? '')
  const [showsFaults, setShowsFaults] = useState(false)
  const check = useSetRule(account.uuid, true)
  const save = useSetRule(account.uuid, false)
  const client = useQueryClient()
  const [seen, setSeen] = useState({ retention_days: days })
  const text = typed.trim()
  const isWrong = text !== '' && !(/^\d{1,5}$/.test(text) && Number(text) <= maxRetentionDays)
  const change = {
    namespaceId: of === 'account' ? undefined : of === 'new' ? placeId : of.namespace_id,
    retention_days: text,
  }
  const putTyped = (next: string) => {
    setTyped(next)
    check.reset()
    save.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsFaults(true)
    if (isWrong || check.isPending || save.isPending) return
    if (check.isSuccess) save.mutate({ ...change, seen }, { onSuccess: onSaved })
    else check.mutate(change)
  }
  // the effect that was shown is that of another rule: the person looks at it again, over the rule in force now
  const handleLookAgain = async () => {
    const now = await client.fetchQuery(retentionQuery(account.uuid)).catch(() => undefined)
    if (now) setSeen({ retention_days: daysOf(now, change.namespaceId) })
    save.reset()
    check.mutate(change)
  }
  const title =
    of === 'new'
      ? t('retention.newRule')
      : t('retention.ruleOf', { name: of === 'account' ? t('retention.account') : of.name })
  return (
    <Dialog title={title} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={title} noValidate onSubmit={handleSubmit}>
        <UnsavedGuard isDirty={text !== (days === null ? '' : String(days)) && !save.isSuccess} />
        {of === 'new' && (
          <NativeSelect
            label={t('retention.choosePlace')}
            value={placeId}
            data={places.map((one) => optionOf({ uuid: one.namespace_id, name: one.name }))}
            onChange={(event) => {
              setPlaceId(event.currentTarget.value)
              check.reset()
            }}
          />
        )}
        <TextInput
          label={t('retention.daysField')}
          description={t(of === 'account' ? 'retention.daysHelpAccount' : 'retention.daysHelpPlace')}
          value={typed}
          inputMode="numeric"
          maxLength={20}
          autoComplete="off"
          data-autofocus
          error={showsFaults && isWrong ? t('retention.daysWrong', { most: maxRetentionDays }) : undefined}
          onChange={(event) => putTyped(event.currentTarget.value)}
        />
        {check.data && <Effect {...check.data} />}
        {check.isError && <Banner tone="failed">{t('retention.checkFailed')}</Banner>}
        {save.isError && failureCode(save.error) !== 'STALE' && (
          <Banner tone="failed">{t('retention.saveFailed')}</Banner>
        )}
        <StaleBanner
          failure={save.error}
          isSaving={check.isPending}
          onSaveMine={() => void handleLookAgain()}
          act={t('retention.tryMine')}
        />
        {check.isSuccess ? (
          <FormButtons isSaving={save.isPending} onCancel={onClose} />
        ) : (
          <div className={style.acts}>
            <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
            <Button type="submit" loading={check.isPending}>
              {t('retention.try')}
            </Button>
          </div>
        )}
      </form>
    </Dialog>
  )
}

/** The rule of a place, or of the account, in force. */
function daysOf({ retention_days: all, places }: Retention, namespaceId: string | undefined): number | null {
  if (namespaceId === undefined) return all
  return places.find((one) => one.namespace_id === namespaceId)?.retention_days ?? null
}

function Effect({ kept, released }: { kept: number; released: number }) {
  if (released > 0) return <Banner tone="priority">{t('retention.effect.released', { count: released })}</Banner>
  return (
    <p className={style.hint} role="status">
      {kept > 0 ? t('retention.effect.kept', { count: kept }) : t('retention.effect.nothing')}
    </p>
  )
}
