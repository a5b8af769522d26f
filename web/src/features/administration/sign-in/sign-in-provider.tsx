import { identityProviderSet } from '@hilum/contract/calls/identity'
import { Button, CopyButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { providerQuery, type ProviderPage } from '../../../queries/identity.ts'
import { OffForSupport } from '../../../session/off-for-support.tsx'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { ProviderActs } from './provider-acts.tsx'
import { ProviderForm } from './provider-form.tsx'
import style from './sign-in-provider.module.css'

/** The provider by which people of the organisation sign in (OpenID Connect). */
export function SignInProvider() {
  const mayEdit = useMayCall(identityProviderSet)
  return (
    <TitledSection id="sign-in-provider" title={t('provider.title')}>
      {mayEdit ? <Page /> : <Banner tone="failed">{t('provider.notPermitted')}</Banner>}
    </TitledSection>
  )
}

function Page() {
  const { account } = useEstablished()
  const { data, error, refetch, isFetching } = useQuery(providerQuery(account.uuid))
  if (error && !data)
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('provider.loadFailed')}
      </FailedBanner>
    )
  if (!data) return <LoadingState label={t('loading')} />
  return (
    <div className={style.page}>
      <p className={style.lead}>{t('provider.lead')}</p>
      {!data.provider && <Banner tone="neutral">{t('provider.none')}</Banner>}
      <Addresses page={data} />
      <OffForSupport reason="offForSupport.signIn">
        <div className={style.page}>
          <ProviderForm provider={data.provider} />
          {data.provider && <ProviderActs />}
        </div>
      </OffForSupport>
    </div>
  )
}

function Addresses({ page: { provider, redirect_address: redirect, logout_address: logout } }: { page: ProviderPage }) {
  return (
    <fieldset className={style.part}>
      <legend>{t('provider.addresses')}</legend>
      <Address label={t('provider.redirect')} value={redirect} />
      <Address label={t('provider.logout')} value={logout} />
      {provider && <Address label={t('provider.entrance')} value={`${logout}?provider=${provider.uuid}`} />}
    </fieldset>
  )
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div className={style.address}>
      <TextInput label={label} value={value} readOnly onFocus={(event) => event.currentTarget.select()} />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" aria-label={`${t('provider.copy')}: ${label}`} onClick={copy}>
            {t(copied ? 'provider.copied' : 'provider.copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}
