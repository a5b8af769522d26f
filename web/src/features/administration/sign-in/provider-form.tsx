import type { IdentityProvider } from '@hilum/contract/calls/identity'
import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { failureCode } from '../../../api/api-failure.ts'
import { useSaveProvider } from '../../../queries/identity.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useProof, wantsProof } from '../../../session/use-proof.tsx'
import { UnsavedGuard } from '../../../state/unsaved-guard.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { PassingBanner } from '../../../ui/passing-banner.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { endingTexts, providerDraftOf, type ProviderDraft, saveFaultText, providerValuesOf } from './provider-draft.ts'
import { ProviderRules } from './provider-rules.tsx'
import style from './sign-in-provider.module.css'

type TextField = {
  [Field in keyof ProviderDraft]: ProviderDraft[Field] extends string ? Field : never
}[keyof ProviderDraft]
type FlagField = 'is_on' | 'creates_people' | 'sso_only' | 'trusts_second_factor'

export function ProviderForm({ provider }: { provider: IdentityProvider | null }) {
  const { account } = useEstablished()
  const [changes, setChanges] = useState<Partial<ProviderDraft>>({})
  /** Version that was shown when the first change was made: the provider may be read anew meanwhile. */
  const [seen, setSeen] = useState<number>()
  const save = useSaveProvider(account.uuid)
  const proof = useProof()
  const draft = { ...providerDraftOf(provider), ...changes }
  const put = (part: Partial<ProviderDraft>) => {
    setChanges({ ...changes, ...part })
    setSeen(seen ?? provider?.row_version)
    if (!save.isPending) save.reset()
  }
  const text = (field: TextField) => ({
    value: draft[field],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  const flag = (field: FlagField) => ({
    checked: draft[field] === 1,
    onChange: (event: { currentTarget: { checked: boolean } }) => put({ [field]: event.currentTarget.checked ? 1 : 0 }),
  })
  /** @param over saves over whatever somebody else changed meanwhile */
  const send = (over: boolean) => {
    const { row_version: read, ...values } = providerValuesOf(draft, provider)
    save.mutate(over || read === undefined ? values : { ...values, row_version: seen ?? read }, {
      onSuccess: () => {
        setChanges({})
        setSeen(undefined)
      },
      onError: (failure) => proof.ask(failure, () => send(over)),
    })
  }
  const handleClear = () => {
    setChanges({})
    setSeen(undefined)
    save.reset()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) send(false)
  }
  return (
    <>
      {proof.dialog}
      <form className={style.form} aria-labelledby="sign-in-provider" noValidate onSubmit={handleSubmit}>
        <UnsavedGuard isDirty={Object.keys(changes).length > 0} />
        <fieldset className={style.part}>
          <legend>{t('provider.atProvider')}</legend>
          <Checkbox label={t('provider.on')} {...flag('is_on')} />
          <TextInput label={t('provider.button')} description={t('provider.buttonHelp')} {...text('button')} />
          <TextInput label={t('provider.issuer')} description={t('provider.issuerHelp')} {...text('issuer')} />
          <TextInput label={t('provider.client')} {...text('client_id')} />
          <PasswordInput
            label={t('provider.secret')}
            description={provider ? t('provider.secretKept') : undefined}
            {...text('client_secret')}
            autoComplete="new-password"
          />
          <TextInput label={t('provider.scopes')} {...text('scopes')} />
        </fieldset>
        <fieldset className={style.part}>
          <legend>{t('provider.claims')}</legend>
          <div className={style.pair}>
            <TextInput label={t('provider.email')} {...text('email_claim')} />
            <TextInput label={t('provider.groups')} {...text('groups_claim')} />
            <TextInput label={t('provider.first')} {...text('first_claim')} />
            <TextInput label={t('provider.last')} {...text('last_claim')} />
          </div>
          <TextInput label={t('provider.domains')} description={t('provider.domainsHelp')} {...text('domains')} />
        </fieldset>
        <fieldset className={style.part}>
          <legend>{t('provider.people')}</legend>
          <Checkbox label={t('provider.creates')} {...flag('creates_people')} />
        </fieldset>
        <ProviderRules
          rules={draft.rules}
          unmappedRole={draft.unmapped_role_id}
          onRules={(rules) => put({ rules })}
          onUnmappedRole={(uuid) => put({ unmapped_role_id: uuid })}
        />
        <fieldset className={style.part}>
          <legend>{t('provider.security')}</legend>
          <Checkbox label={t('provider.only')} description={t('provider.onlyHelp')} {...flag('sso_only')} />
          <Checkbox
            label={t('provider.trusts')}
            description={t('provider.trustsHelp')}
            {...flag('trusts_second_factor')}
          />
          <TextInput label={t('provider.acr')} {...text('acr_values')} />
        </fieldset>
        {endingTexts(provider, draft).map((text) => (
          <Banner key={text} tone="priority">
            {text}
          </Banner>
        ))}
        {save.isSuccess && (
          <PassingBanner key={save.submittedAt} onGone={save.reset}>
            {t('provider.saved')}
          </PassingBanner>
        )}
        {save.isError && !wantsProof(save.error) && failureCode(save.error) !== 'STALE' && (
          <Banner tone="failed">{saveFaultText(save.error)}</Banner>
        )}
        <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={() => send(true)} />
        <div className={style.acts}>
          <Button variant="default" size="sm" disabled={save.isPending} onClick={handleClear}>
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
