import { accountSet } from '@hilum/contract/calls/account-set'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../../labels/label.ts'
import { organisationQuery } from '../../../queries/account-settings.ts'
import { OffForSupport } from '../../../session/off-for-support.tsx'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { CloseOrganisation } from './close-organisation.tsx'
import { OrganisationForm } from './organisation-form.tsx'
import { TextsToAccept } from './texts-to-accept.tsx'

/** Name, look, links and help of the organisation, for its administrators. */
export function Organisation() {
  const mayEdit = useMayCall(accountSet)
  return (
    <TitledSection id="organisation" title={t('organisation.title')}>
      {mayEdit ? (
        <>
          <LoadedForm />
          <TextsToAccept />
          <OffForSupport reason="offForSupport.closing">
            <CloseOrganisation />
          </OffForSupport>
        </>
      ) : (
        <Banner tone="failed">{t('organisation.notPermitted')}</Banner>
      )}
    </TitledSection>
  )
}

function LoadedForm() {
  const { account } = useEstablished()
  const { data, error, refetch } = useQuery(organisationQuery(account.uuid))
  if (data) return <OrganisationForm loaded={data.settings} fields={data.fields} />
  if (!error) return <LoadingState label={t('loading')} />
  return (
    <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
      {t('organisation.loadFailed')}
    </FailedBanner>
  )
}
