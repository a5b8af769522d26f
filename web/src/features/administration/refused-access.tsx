import { auditRefused } from '@hilum/contract/calls/audit'
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { useAgo } from '../../format/use-ago.ts'
import { formatCount } from '../../format/file-size.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { type LabelKey, t } from '../../labels/label.ts'
import { type Refusal, refusedAccessQuery } from '../../queries/refused-access.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { doorText } from './door-text.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { IconSearch } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import { TitledSection } from '../../ui/titled-section.tsx'
import style from './refused-access.module.css'

const askAfterMs = 300

/** Refused access in the organisation: a line for each hour, person or address, and kind of request. */
export function RefusedAccess() {
  const maySee = useMayCall(auditRefused)
  return (
    <TitledSection id="refused" title={t('refused.title')}>
      {maySee ? <RefusalList /> : <Banner tone="failed">{t('refused.notPermitted')}</Banner>}
    </TitledSection>
  )
}

function RefusalList() {
  const { account } = useEstablished()
  const [typed, setTyped] = useState('')
  const [asker] = useDebouncedValue(typed.trim(), askAfterMs)
  const query = useInfiniteQuery(refusedAccessQuery(account.uuid, asker))
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const refusals = data?.pages.flatMap((page) => page.refusals)
  return (
    <>
      <p className={style.lead}>{t('refused.lead')}</p>
      <TextInput
        type="search"
        className={style.filter}
        aria-label={t('refused.filter')}
        placeholder={t('refused.filter')}
        leftSection={<IconSearch size={15} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {error && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('refused.failed')}
        </FailedBanner>
      )}
      {!refusals && !error && <LoadingState label={t('loading')} />}
      {refusals?.length === 0 && (
        <p className={style.empty} role="status">
          {asker ? t('refused.noneFound', { asker }) : t('refused.empty')}
        </p>
      )}
      {refusals && refusals.length > 0 && <RefusalTable refusals={refusals} />}
      {hasNextPage && (
        <Button
          variant="default"
          size="sm"
          className={style.older}
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('refused.older')}
        </Button>
      )}
    </>
  )
}

function RefusalTable({ refusals }: { refusals: readonly Refusal[] }) {
  return (
    <table className={table.table} aria-labelledby="refused">
      <thead>
        <tr>
          <th scope="col">{t('refused.who')}</th>
          <th scope="col">{t('refused.what')}</th>
          <th scope="col" data-number>
            {t('refused.times')}
          </th>
          <th scope="col">{t('refused.when')}</th>
        </tr>
      </thead>
      <tbody>
        {refusals.map((one) => (
          <RefusalRow
            key={[
              one.user_id,
              one.proxy,
              one.is_by_key,
              one.ae_title,
              one.client_address,
              one.act,
              one.kind,
              one.first,
            ].join('/')}
            refusal={one}
          />
        ))}
      </tbody>
    </table>
  )
}

function RefusalRow({ refusal }: { refusal: Refusal }) {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  const [from, to] = [stamp(refusal.first), stamp(refusal.last)]
  return (
    <tr>
      <th scope="row">
        {nameOf(refusal)}
        <span className={table.aside}>{asidesOf(refusal).join(' · ')}</span>
      </th>
      <td>
        {t(kinds[refusal.kind] ?? 'refused.kind.other')}
        <span className={table.aside}>{doorText(refusal.act)}</span>
      </td>
      <td data-number>{formatCount(refusal.count)}</td>
      <td>
        {agoOf(refusal.last)}
        <span className={table.aside}>{from === to ? to : t('refused.between', { from, to: to.slice(-5) })}</span>
      </td>
    </tr>
  )
}

function nameOf({ user_id: userId, user_name: name, ae_title: title, client_address: address, act }: Refusal): string {
  if (userId) return name || t('refused.nameless')
  if (act === 'HL7' && title) return t('refused.orderSender', { title })
  if (isOfSender(act)) return title ? t('refused.sender', { title }) : t('refused.manySenders')
  return address ? t('refused.noSession') : t('refused.manyAddresses')
}

function asidesOf(refusal: Refusal): string[] {
  const { user_id: userId, is_member: isMember, client_address: address, proxy, is_by_key: isByKey } = refusal
  return [
    ...(proxy ? [t('audit.proxy', { proxy })] : []),
    ...(isByKey === 1 ? [t('audit.byKey')] : []),
    ...(userId && isMember !== 1 ? [t('refused.outsider')] : []),
    ...(address ? [address] : []),
  ]
}

const kinds: Readonly<Record<string, LabelKey & `refused.kind.${string}`>> = {
  Study: 'refused.kind.study',
  Order: 'refused.kind.order',
  Namespace: 'refused.kind.namespace',
  Group: 'refused.kind.group',
  User: 'refused.kind.user',
  Account: 'refused.kind.account',
  Title: 'refused.kind.title',
}

/** Services of DICOM and HL7 are written in capitals, paths of calls are not. */
function isOfSender(act: string): boolean {
  return act.startsWith('C-') || act === 'DICOM' || act === 'HL7'
}
