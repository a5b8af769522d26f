import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { changedFields } from '../../../queries/changed-fields.ts'
import { exchangeRulesQuery, useSaveExchangeRules } from '../../../queries/connections.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { putNotice } from '../../../state/notices.ts'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { useChanges } from '../use-changes.ts'
import style from '../users/users.module.css'

/** Minutes until other organisations lose access; 0 is never. */
const ends = [0, 1440, 10080, 43200, 525600] as const

interface Rules {
  expires: number
  share_code: string
}

/** Default end of access for other organisations, and the share code by which strangers send to this one. */
export function ExchangeRules() {
  const { account } = useEstablished()
  const { data, isError, isFetching, refetch } = useQuery(exchangeRulesQuery(account.uuid))
  return (
    <TitledSection id="exchange-rules" title={t('connections.rules')} level={3}>
      {data && <RulesForm accountId={account.uuid} loaded={data} />}
      {!data && !isError && <LoadingState label={t('loading')} />}
      {!data && isError && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('connections.failed')}
        </FailedBanner>
      )}
    </TitledSection>
  )
}

function RulesForm({ accountId, loaded }: { accountId: string; loaded: Rules }) {
  const save = useSaveExchangeRules(accountId)
  const { form: rules, put: putChange, settle, seenOf } = useChanges<Rules>(loaded)
  const isOffered = ends.some((one) => one === loaded.expires)
  const put = (part: Partial<Rules>) => {
    putChange(part)
    if (!save.isPending) save.reset()
  }
  const handleSaved = () => {
    settle()
    putNotice(t('connections.saved'))
  }
  const changed = changedFields(loaded, { ...rules, share_code: rules.share_code.trim() })
  const send = (seen: Partial<Rules> | undefined) => save.mutate({ ...changed, seen }, { onSuccess: handleSaved })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) send(seenOf(Object.keys(changed)))
  }
  const isTaken = save.error instanceof ApiFailure && save.error.subtype === 'share_code'
  return (
    <form className={style.form} noValidate onSubmit={handleSubmit}>
      <div className={style.pair}>
        <NativeSelect
          label={t('connections.expires')}
          description={t('connections.expiresHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={rules.expires}
          onChange={(event) => put({ expires: Number(event.currentTarget.value) })}
          data={[
            ...ends.map((one) => ({ value: String(one), label: t(`connections.expires.${one}`) })),
            ...(isOffered
              ? []
              : [{ value: String(loaded.expires), label: t('connections.expiresOther', { count: loaded.expires }) }]),
          ]}
        />
        <TextInput
          label={t('connections.code')}
          description={t('connections.codeHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={rules.share_code}
          error={isTaken && t('connections.codeTaken')}
          onChange={(event) => put({ share_code: event.currentTarget.value })}
        />
      </div>
      {save.isError && !isTaken && failureCode(save.error) !== 'STALE' && (
        <Banner tone="failed">{t('connections.saveFailed')}</Banner>
      )}
      <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={() => send(undefined)} />
      <div>
        <Button type="submit" variant="default" size="xs" loading={save.isPending}>
          {t('connections.save')}
        </Button>
      </div>
    </form>
  )
}
