import { auditRefused } from '@hilum/contract/calls/audit'
import { useQuery } from '@tanstack/react-query'
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
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import { IconSearch } from '../../ui/icons.ts'
import table from '../../ui/row-table.module.css'
import { TitledSection } from '../../ui/titled-section.tsx'
import { doorText } from './door-text.ts'
import { gridPaging } from './grid/grid-paging.ts'
import { gridTexts } from './grid/grid-texts.ts'
import { useGridPage } from './grid/use-grid-page.ts'
import style from './refused-access.module.css'

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
  const { view, handleView, typed, filters, handleFilter } = useGridPage({
    name: 'refused',
    sorts: ['last', 'count', 'asker', 'act'],
    noFilters: { asker: '' },
    isNewestFirst: true,
  })
  const asker = filters.asker.trim()
  const answer = useQuery(refusedAccessQuery(account.uuid, view, asker))
  const columns = useRefusalColumns()
  const { data } = answer
  return (
    <>
      <p className={style.lead}>{t('refused.lead')}</p>
      <TextInput
        type="search"
        className={style.filter}
        aria-label={t('refused.filter')}
        placeholder={t('refused.filter')}
        leftSection={<IconSearch size={15} />}
        value={typed.asker}
        onChange={(event) => handleFilter({ asker: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <DataGrid
        texts={gridTexts(
          {
            label: t('refused.title'),
            failed: t('refused.failed'),
            empty: asker ? t('refused.noneFound', { asker }) : t('refused.empty'),
          },
          data?.page.total,
        )}
        columns={columns}
        rows={data?.refusals}
        keyOf={keyOf}
        nameOf={nameOf}
        {...gridPaging(answer, view, handleView)}
      />
    </>
  )
}

/** A line is told apart by all that it counts. */
function keyOf(one: Refusal): string {
  return [one.user_id, one.proxy, one.is_by_key, one.ae_title, one.client_address, one.act, one.kind, one.first].join(
    '/',
  )
}

function useRefusalColumns(): GridColumn<Refusal>[] {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  const hourOf = ({ first, last }: Refusal) => {
    const [from, to] = [stamp(first), stamp(last)]
    return from === to ? to : t('refused.between', { from, to: to.slice(-5) })
  }
  return [
    {
      key: 'who',
      title: t('refused.who'),
      sort: 'asker',
      isName: true,
      cell: (one) => (
        <>
          {nameOf(one)}
          <span className={table.aside}>{asidesOf(one).join(' · ')}</span>
        </>
      ),
    },
    {
      key: 'what',
      title: t('refused.what'),
      sort: 'act',
      cell: (one) => (
        <>
          {t(kinds[one.kind] ?? 'refused.kind.other')}
          <span className={table.aside}>{doorText(one.act)}</span>
        </>
      ),
    },
    { key: 'times', title: t('refused.times'), sort: 'count', cell: (one) => formatCount(one.count) },
    {
      key: 'when',
      title: t('refused.when'),
      sort: 'last',
      cell: (one) => (
        <>
          {agoOf(one.last)}
          <span className={table.aside}>{hourOf(one)}</span>
        </>
      ),
    },
  ]
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
