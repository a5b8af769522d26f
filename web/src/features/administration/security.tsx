import { accountSet } from '@hilum/contract/calls/account-set'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import type { FormEvent } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { type AccountSecurity, useSaveSecurity } from '../../queries/account-security.ts'
import { changedFields } from '../../queries/changed-fields.ts'
import { OffForSupport } from '../../session/off-for-support.tsx'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'
import { useProof, wantsProof } from '../../session/use-proof.tsx'
import { UnsavedGuard } from '../../state/unsaved-guard.tsx'
import { Banner } from '../../ui/banner.tsx'
import { PassingBanner } from '../../ui/passing-banner.tsx'
import { TitledSection } from '../../ui/titled-section.tsx'
import style from './security.module.css'
import { StaleBanner } from './stale-banner.tsx'
import { SupportAccess } from './support-access.tsx'
import { useChanges } from './use-changes.ts'

const minutes = [0, 10, 15, 30, 60, 120]
const days = [0, 30, 60, 90, 180, 365]

/** How people of the organisation sign in: length of sessions, expiry of passwords, the second factor. */
export function Security() {
  const mayEdit = useMayCall(accountSet)
  return (
    <TitledSection id="security" title={t('security.title')}>
      {mayEdit ? (
        <>
          <OffForSupport reason="offForSupport.signIn">
            <SecurityForm />
          </OffForSupport>
          <SupportAccess />
        </>
      ) : (
        <Banner tone="failed">{t('security.notPermitted')}</Banner>
      )}
    </TitledSection>
  )
}

function SecurityForm() {
  const { account } = useEstablished()
  const { password_expire, session_expire } = account
  const loaded: AccountSecurity = { password_expire, session_expire, pin_required: account.pin_required === 1 ? 1 : 0 }
  const { form, put: putChange, clear, settle, seenOf } = useChanges(loaded)
  const save = useSaveSecurity(account.uuid)
  const proof = useProof()
  const changed = changedFields(loaded, form)
  const isDirty = Object.keys(changed).length > 0
  const put = (part: Partial<AccountSecurity>) => {
    putChange(part)
    if (!save.isPending) save.reset()
  }
  const send = (seen: Partial<AccountSecurity> | undefined) =>
    save.mutate({ ...changed, seen }, { onSuccess: settle, onError: (failure) => proof.ask(failure, () => send(seen)) })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) send(seenOf(Object.keys(changed)))
  }
  return (
    <>
      {proof.dialog}
      <form className={style.form} aria-labelledby="security" onSubmit={handleSubmit}>
        <UnsavedGuard isDirty={isDirty} />
        {save.isSuccess && (
          <PassingBanner key={save.submittedAt} onGone={save.reset}>
            {t('security.saved')}
          </PassingBanner>
        )}
        {save.isError && failureCode(save.error) !== 'STALE' && !wantsProof(save.error) && (
          <Banner tone="failed">{t('security.failed')}</Banner>
        )}
        <p className={style.lead}>{t('security.lead')}</p>
        <NativeSelect
          label={t('security.session')}
          value={String(form.session_expire)}
          data={optionsOf(minutes, form.session_expire, (count) =>
            count === 0 ? t('security.sessionDefault') : t('security.minutes', { count }),
          )}
          onChange={(event) => put({ session_expire: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={t('security.password')}
          value={String(form.password_expire)}
          data={optionsOf(days, form.password_expire, (count) =>
            count === 0 ? t('security.never') : t('security.days', { count }),
          )}
          onChange={(event) => put({ password_expire: Number(event.currentTarget.value) })}
        />
        <Checkbox
          label={t('security.pin')}
          description={t('security.pinHelp')}
          checked={form.pin_required === 1}
          onChange={(event) => put({ pin_required: event.currentTarget.checked ? 1 : 0 })}
        />
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={() => send(undefined)} />
        <div className={style.acts}>
          <Button
            variant="default"
            size="sm"
            disabled={save.isPending}
            onClick={() => {
              clear()
              save.reset()
            }}
          >
            {t('settings.clear')}
          </Button>
          <Button type="submit" size="sm" loading={save.isPending}>
            {t('button.save')}
          </Button>
        </div>
      </form>
    </>
  )
}

/** A value that a program set stays to be chosen. */
function optionsOf(offered: readonly number[], current: number, label: (count: number) => string) {
  const all = offered.includes(current) ? offered : [...offered, current].toSorted((a, b) => a - b)
  return all.map((count) => ({ value: String(count), label: label(count) }))
}
