import { filterShare } from '@hilum/contract/calls/filter'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import type { ListedSearch } from '../../queries/saved-searches.ts'
import { type SearchShare, searchSharesQuery, useSearchShareActs } from '../../queries/search-shares.ts'
import { useEstablished } from '../../session/session-store.ts'
import { mayCall, partOf } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { IconSelector } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './saved-searches.module.css'

interface SearchSharesProps {
  saved: ListedSearch
  inboxes: readonly Inbox[]
  onClose: () => void
}

/** With whom a search is shared: to share it with one more group or account, and to take it back (SEARCH-08). */
export function SearchShares({ saved, inboxes, onClose }: SearchSharesProps) {
  const { account } = useEstablished()
  const { data: shares, isLoadingError, isFetching, refetch } = useQuery(searchSharesQuery(saved.uuid))
  const { share, stop } = useSearchShareActs(saved.uuid)
  const [chosen, setChosen] = useState('')
  const [said, setSaid] = useState('')
  const nameOf = ({ idField, id }: SearchShare) => {
    const inbox = inboxes.find((one) => one.idField === idField && one.id === id)
    if (idField === 'account_id' && id === account.uuid) return t('shares.everyone', { account: account.name })
    return inbox ? inboxName(inbox) : t(`shares.unnamed.${idField}`)
  }
  const places = inboxes.filter(
    (inbox) =>
      inbox.kind !== 'mine' &&
      mayCall(partOf(filterShare, 'target'), inbox.permissions) &&
      inbox.namespaceId !== saved.namespaceId &&
      !shares?.some(({ idField, id }) => idField === inbox.idField && id === inbox.id),
  )
  const place = places.find(({ namespaceId }) => namespaceId === chosen) ?? places[0]
  const handleShare = (event: FormEvent) => {
    event.preventDefault()
    const target = place && toShare(place)
    if (!target) return
    setSaid('')
    stop.reset()
    share.mutate(target, { onSuccess: () => setSaid(t('shares.shared', { place: nameOf(target) })) })
  }
  const handleStop = (one: SearchShare) => {
    setSaid('')
    share.reset()
    stop.mutate(one, { onSuccess: () => setSaid(t('shares.stopped', { place: nameOf(one) })) })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation() // the form around stays open
    onClose()
  }
  return (
    <section
      className={style.shares}
      aria-label={t('shares.label', { name: saved.name })}
      tabIndex={-1}
      ref={focusOnce}
      onKeyDown={handleKeyDown}
    >
      {isLoadingError && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('shares.failed')}
        </FailedBanner>
      )}
      {(share.isError || stop.isError) && <Banner tone="failed">{t('saved.actFailed')}</Banner>}
      {!shares && !isLoadingError && <LoadingState label={t('loading')} />}
      {shares?.length === 0 && <p className={style.quiet}>{t('shares.none')}</p>}
      {shares && shares.length > 0 && (
        <ul>
          {shares.map((one) => (
            <li key={`${one.idField} ${one.id}`}>
              <span className={style.place}>{nameOf(one)}</span>
              <Button
                size="xs"
                variant="subtle"
                aria-label={t('shares.stopWith', { place: nameOf(one) })}
                disabled={stop.isPending}
                onClick={() => handleStop(one)}
              >
                {t('shares.stop')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className={style.save} onSubmit={handleShare}>
        {shares && places.length > 0 && (
          <>
            <NativeSelect
              label={t('shares.with')}
              rightSection={<IconSelector size={14} />}
              data={places.map((inbox) => ({ value: inbox.namespaceId, label: nameOf(toShare(inbox)) }))}
              value={place?.namespaceId ?? ''}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
            <Button type="submit" loading={share.isPending}>
              {t('shares.share')}
            </Button>
          </>
        )}
        {shares && places.length === 0 && (
          <p className={style.quiet}>{shares.length > 0 ? t('shares.noMorePlace') : t('shares.noPlace')}</p>
        )}
        <Button variant="default" onClick={onClose}>
          {t('shares.close')}
        </Button>
        <span role="status" className={style.said}>
          {said}
        </span>
      </form>
    </section>
  )
}

/** A place of the navigation as a target; the personal one is never offered. */
function toShare({ idField, id }: Inbox): SearchShare {
  return { idField, id }
}

/** A section just opened is read out and takes the next key. */
function focusOnce(section: HTMLElement | null): void {
  section?.focus({ preventScroll: true })
}
