import type { OwnIdentity } from '@hilum/contract/calls/identity'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { ownIdentitiesQuery, useConnect, useDisconnect } from '../../queries/identity.ts'
import { signInFaultLabel } from '../../session/sign-in-fault-label.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import style from './account.module.css'
import { useProof, wantsProof } from '../../session/use-proof.tsx'

/** Logins of the person's organisations: connected here once, then good to sign in with. */
export function OwnIdentities() {
  const { data: identities, error, refetch, isFetching } = useQuery(ownIdentitiesQuery)
  const connect = useConnect()
  const disconnect = useDisconnect()
  const proof = useProof()
  if (error && !identities)
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
        {t('ownIdentities.loadFailed')}
      </FailedBanner>
    )
  if (!identities) return <LoadingState label={t('loading')} />
  const handleConnect = (provider: string) => {
    disconnect.reset()
    connect.mutate(provider, { onError: (failure) => proof.ask(failure, () => handleConnect(provider)) })
  }
  const handleDisconnect = (provider: string) => {
    connect.reset()
    disconnect.mutate(provider, { onError: (failure) => proof.ask(failure, () => handleDisconnect(provider)) })
  }
  const failed = [connect.error, disconnect.error].find((one) => one && !wantsProof(one))
  return (
    <>
      {proof.dialog}
      <p className={style.lead}>{t('ownIdentities.lead')}</p>
      {failed && <Banner tone="failed">{t(faultOf(failed))}</Banner>}
      {disconnect.isSuccess && <Banner tone="completed">{t('ownIdentities.ended')}</Banner>}
      {identities.length === 0 ? (
        <p>{t('ownIdentities.none')}</p>
      ) : (
        <table className={table.table} aria-label={t('ownIdentities.title')}>
          <tbody>
            {identities.map((one) => (
              <tr key={one.provider}>
                <th scope="row">{one.button}</th>
                <td>{one.account}</td>
                <td>{stateOf(one)}</td>
                <td>
                  {one.is_linked ? (
                    <Button
                      variant="default"
                      size="compact-sm"
                      loading={disconnect.isPending}
                      onClick={() => handleDisconnect(one.provider)}
                    >
                      {t('ownIdentities.disconnect')}
                    </Button>
                  ) : (
                    <Button size="compact-sm" loading={connect.isPending} onClick={() => handleConnect(one.provider)}>
                      {t('ownIdentities.connect')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function stateOf({ is_linked: isLinked, email }: OwnIdentity): string {
  if (!isLinked) return t('ownIdentities.notConnected')
  return email ? t('ownIdentities.isConnected', { email }) : t('ownIdentities.isConnectedOnly')
}

function faultOf(failure: unknown) {
  if (!(failure instanceof ApiFailure) || failure.code !== 'SSO_REFUSED') return 'ownIdentities.failed' as const
  return signInFaultLabel(failure.subtype)
}
