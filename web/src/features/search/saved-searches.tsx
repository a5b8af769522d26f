import { filterAdd } from '@hilum/contract/calls/filter'
import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { type ListedSearch, savedSearchesQuery, useSavedSearchActs } from '../../queries/saved-searches.ts'
import { saveSetting } from '../../session/put-setting.ts'
import {
  inChosenOrder,
  placeOfSearch,
  searchOrderKey,
  startPlace,
  startAtInbox,
  startPlaceKey,
} from '../../session/search-settings.ts'
import { useEstablished } from '../../session/session-store.ts'
import type { SearchFilters } from '../../state/search-filters.ts'
import { mayCall, partOf } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconSelector } from '../../ui/icons.ts'
import { SavedRow } from './saved-row.tsx'
import style from './saved-searches.module.css'

interface SavedSearchesProps {
  /** The form as it is filled now: what Save keeps. */
  draft: SearchFilters
  inboxes: readonly Inbox[]
  today: string
  onApply: (filters: SearchFilters) => void
}

/** A setting on its way. */
interface StoredSetting {
  key: string
  value: string
}

/** The person's searches, their groups' and those shared with them: to use, keep, share, rename, delete (SEARCH-08). */
export function SavedSearches({ draft, inboxes, today, onApply }: SavedSearchesProps) {
  const { account, settings } = useEstablished()
  const { data: listed, isLoadingError } = useQuery(savedSearchesQuery(account.uuid))
  const { save, rename, remove } = useSavedSearchActs(account.uuid, today)
  const storeSetting = useMutation({ mutationFn: ({ key, value }: StoredSetting) => saveSetting(key, value) })
  const saved = listed && inChosenOrder(listed, settings)
  const section = useRef<HTMLElement>(null)
  const isRead = saved !== undefined
  // The list opens below all fields; once its rows are there, the whole of it is brought into sight.
  useEffect(() => {
    if (isRead) section.current?.scrollIntoView?.({ block: 'start' })
  }, [isRead])
  const [name, setName] = useState('')
  const nameField = useRef<HTMLInputElement>(null)
  const [namespaceId, setNamespaceId] = useState('')
  const shareable = inboxes.filter(
    ({ kind, permissions }) => kind === 'group' && mayCall(partOf(filterAdd, 'namespace_id'), permissions),
  )
  const handleSave = (event: FormEvent) => {
    event.preventDefault()
    const search = { name: name.trim(), filters: draft, namespaceId: namespaceId || undefined }
    // the button is off without a name, and would lose the focus to nowhere
    nameField.current?.focus()
    if (search.name) save.mutate(search, { onSuccess: () => setName('') })
  }
  const placeOf = ({ uuid, namespaceId: place }: ListedSearch) =>
    placeOfSearch(uuid, inboxes.find((inbox) => inbox.namespaceId === place)?.id)
  const handleMove = (uuid: string, at: number) => {
    const rest = (saved ?? []).map((one) => one.uuid).filter((one) => one !== uuid)
    storeSetting.mutate({ key: searchOrderKey, value: JSON.stringify(rest.toSpliced(at, 0, uuid)) })
  }
  const handleRemove = (one: ListedSearch) => {
    remove.mutate(one.uuid)
    if (startPlace(settings) === placeOf(one)) storeSetting.mutate({ key: startPlaceKey, value: startAtInbox })
  }
  const ownerOf = (one: ListedSearch) => {
    const inbox = inboxes.find((place) => place.namespaceId === one.namespaceId)
    if (one.isMine) return inbox ? inboxName(inbox) : t('saved.mine')
    const owner = one.ownerName
    return inbox ? t('saved.fromIn', { owner, place: inboxName(inbox) }) : t('saved.from', { owner })
  }
  return (
    <section ref={section} className={style.saved} aria-label={t('saved.label')}>
      {isLoadingError && <Banner tone="failed">{t('saved.failed')}</Banner>}
      {(save.isError || rename.isError || remove.isError || storeSetting.isError) && (
        <Banner tone="failed">{t('saved.actFailed')}</Banner>
      )}
      {saved?.length === 0 && <p className={style.quiet}>{t('saved.none')}</p>}
      <ul>
        {saved?.map((one, at) => (
          <SavedRow
            key={one.uuid}
            saved={one}
            owner={ownerOf(one)}
            inboxes={inboxes}
            onApply={() => onApply(one.filters)}
            onRename={(newName) => rename.mutate({ uuid: one.uuid, name: newName })}
            onRemove={() => handleRemove(one)}
            isStart={startPlace(settings) === placeOf(one)}
            onStart={(isStart) =>
              storeSetting.mutate({ key: startPlaceKey, value: isStart ? placeOf(one) : startAtInbox })
            }
            onUp={at > 0 ? () => handleMove(one.uuid, at - 1) : undefined}
          />
        ))}
      </ul>
      <form className={style.save} aria-labelledby="keep-search" onSubmit={handleSave}>
        <h3 id="keep-search" className={style.keep}>
          {t('saved.keep')}
        </h3>
        <TextInput
          ref={nameField}
          className={style.grow}
          label={t('saved.name')}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {shareable.length > 0 && (
          <NativeSelect
            label={t('saved.for')}
            rightSection={<IconSelector size={14} />}
            data={[
              { value: '', label: t('saved.onlyMe') },
              ...shareable.map((inbox) => ({ value: inbox.namespaceId, label: inbox.name })),
            ]}
            value={namespaceId}
            onChange={(event) => setNamespaceId(event.currentTarget.value)}
          />
        )}
        <Button type="submit" variant="default" disabled={!name.trim()} loading={save.isPending}>
          {t('saved.save')}
        </Button>
      </form>
    </section>
  )
}
