import { readOneAddress } from '@hilum/contract/mail-address'
import { maxProxyReason } from '@hilum/contract/calls/system'
import { Button, NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureCode, isRefusal } from '../../../api/api-failure.ts'
import { Textarea, TextInput } from '../../../fields/text-input.tsx'
import { nameWithEmail } from '../../../format/name-with-email.ts'
import { t } from '../../../labels/label.ts'
import { proxiedQuery, type SystemAccount } from '../../../queries/system.ts'
import { signInAs } from '../../../session/sign-in.ts'
import { useProof, wantsProof } from '../../../session/use-proof.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import style from '../users/users.module.css'

/** Asks as whom, and why, a supporter signs in; then the page is loaded anew as that person. */
export function ProxyDialog({ account, onClose }: { account: SystemAccount; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [inForce] = useDebouncedValue(readOneAddress(search), 300)
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(proxiedQuery(account.uuid, inForce))
  const [chosen, setChosen] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<'who' | 'reason'>()
  const proof = useProof()
  const begin = useMutation({
    mutationFn: (sent: { user_id: string; reason: string }) => signInAs({ account_id: account.uuid, ...sent }),
    onSuccess: () => window.location.assign('/group/list'),
  })
  const userId = data?.users.some(({ uuid }) => uuid === chosen) ? chosen : ''
  const send = () => {
    const sent = { user_id: userId, reason: reason.trim() }
    begin.mutate(sent, { onError: (failure) => proof.ask(failure, send) })
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const found = userId ? (reason.trim() ? undefined : 'reason') : 'who'
    setFault(found)
    if (!found && !begin.isPending) send()
  }
  const isClosed = isLoadingError && isRefusal(error)
  const isRefused = isClosed || (begin.isError && !wantsProof(begin.error))
  return (
    <Dialog title={t('system.proxyTitle', { name: account.name })} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} noValidate onSubmit={handleSubmit}>
        <p className={style.hint}>{t('system.proxyLead')}</p>
        {isRefused && (
          <Banner tone="failed">
            {t(isClosed || failureCode(begin.error) === 'USER_NOT_FOUND' ? 'system.fault.gone' : 'system.fault.other')}
          </Banner>
        )}
        {isLoadingError && !isClosed && (
          <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
            {t('system.proxyFailed')}
          </FailedBanner>
        )}
        <TextInput
          data-autofocus
          label={t('system.proxyFind')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('system.proxyWho')}
          description={data?.more === 1 ? t('system.proxyMore') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={fault === 'who' && t('system.fault.who')}
          value={userId}
          disabled={data?.users.length === 0}
          data={[
            { value: '', label: t(data?.users.length === 0 ? 'system.proxyNone' : 'system.proxyChoose') },
            ...(data?.users ?? []).map(({ uuid, name, email, role_name: role }) => ({
              value: uuid,
              label: `${nameWithEmail(name, email)} · ${role}`,
            })),
          ]}
          onChange={(event) => {
            setChosen(event.currentTarget.value)
            setFault(undefined)
          }}
        />
        <Textarea
          label={t('system.proxyReason')}
          description={t('system.proxyReasonHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          rows={2}
          maxLength={maxProxyReason}
          value={reason}
          error={fault === 'reason' && t('system.fault.reason')}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setFault(undefined)
          }}
        />
        <div className={style.buttons}>
          <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
          <Button type="submit" loading={begin.isPending || begin.isSuccess}>
            {t('system.proxySubmit')}
          </Button>
        </div>
      </form>
      {proof.dialog}
    </Dialog>
  )
}
