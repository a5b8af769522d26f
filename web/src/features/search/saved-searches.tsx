import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { type ListedSearch, savedSearchesQuery, useSavedSearchActs } from '../../queries/saved-searches.ts'
import { useEstablished } from '../../session/session-store.ts'
import type { SearchFilters } from '../../state/search-filters.ts'
import { may } from '../../session/use-may.ts'
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

/** The person's searches, their groups' and those shared with them: to use, keep, share, rename, delete (SEARCH-08). */
export function SavedSearches({ draft, inboxes, today, onApply }: SavedSearchesProps) {
  const { account } = useEstablished()
  const { data: saved, isError } = useQuery(savedSearchesQuery(account.uuid))
  const { save, rename, remove } = useSavedSearchActs(account.uuid, today)
  const [name, setName] = useState('')
  const [namespaceId, setNamespaceId] = useState('')
  const shareable = inboxes.filter(({ kind, permissions }) => kind === 'group' && may('shareSearch', permissions))
  const handleSave = (event: FormEvent) => {
    event.preventDefault()
    const kept = { name: name.trim(), filters: draft, namespaceId: namespaceId || undefined }
    if (kept.name) save.mutate(kept, { onSuccess: () => setName('') })
  }
  const ownerOf = (one: ListedSearch) => {
    const inbox = inboxes.find((place) => place.namespaceId === one.namespaceId)
    if (one.isMine) return inbox ? inboxName(inbox) : t('saved.mine')
    const owner = one.ownerName
    return inbox ? t('saved.fromIn', { owner, place: inboxName(inbox) }) : t('saved.from', { owner })
  }
  return (
    <section className={style.saved} aria-label={t('saved.label')}>
      {isError && <Banner tone="failed">{t('saved.failed')}</Banner>}
      {(save.isError || rename.isError || remove.isError) && <Banner tone="failed">{t('saved.actFailed')}</Banner>}
      {saved?.length === 0 && <p className={style.quiet}>{t('saved.none')}</p>}
      <ul>
        {saved?.map((one) => (
          <SavedRow
            key={one.uuid}
            saved={one}
            owner={ownerOf(one)}
            inboxes={inboxes}
            onApply={() => onApply(one.filters)}
            onRename={(newName) => rename.mutate({ uuid: one.uuid, name: newName })}
            onRemove={() => remove.mutate(one.uuid)}
          />
        ))}
      </ul>
      <form className={style.save} onSubmit={handleSave}>
        <TextInput
          className={style.grow}
          label={t('saved.name')}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {shareable.length > 0 && (
          <NativeSelect
            label={t('saved.for')}
            rightSection={<IconSelector size={14} aria-hidden="true" />}
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
