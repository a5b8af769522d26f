import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { type SavedSearch, savedSearchesQuery, useSavedSearchActs } from '../../queries/saved-searches.ts'
import { useEstablished } from '../../session/session-store.ts'
import type { SearchFilters } from '../../state/search-filters.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconEdit, IconSelector, IconTrash } from '../../ui/icons.ts'
import style from './advanced-search.module.css'

interface SavedSearchesProps {
  /** The form as it is filled now: what Save keeps. */
  draft: SearchFilters
  inboxes: readonly Inbox[]
  today: string
  onApply: (filters: SearchFilters) => void
}

/** The person's searches and their groups': to use, to keep, to rename, to delete (SEARCH-08). */
export function SavedSearches({ draft, inboxes, today, onApply }: SavedSearchesProps) {
  const { account } = useEstablished()
  const { data: saved, isError } = useQuery(savedSearchesQuery(account.uuid))
  const { save, rename, remove } = useSavedSearchActs(account.uuid, today)
  const [name, setName] = useState('')
  const [namespaceId, setNamespaceId] = useState('')
  const shareable = inboxes.filter(({ kind, permissions }) => kind === 'group' && permissions['filter_share'] === 1)
  const handleSave = (event: FormEvent) => {
    event.preventDefault()
    const kept = { name: name.trim(), filters: draft, namespaceId: namespaceId || undefined }
    if (kept.name) save.mutate(kept, { onSuccess: () => setName('') })
  }
  const ownerOf = (one: SavedSearch) => {
    if (!one.namespaceId) return t('saved.mine')
    const inbox = inboxes.find((place) => place.namespaceId === one.namespaceId)
    return inbox ? inboxName(inbox) : one.ownerName
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

interface SavedRowProps {
  saved: SavedSearch
  owner: string
  onApply: () => void
  onRename: (name: string) => void
  onRemove: () => void
}

function SavedRow({ saved, owner, onApply, onRename, onRemove }: SavedRowProps) {
  const { name, mayEdit } = saved
  const [act, setAct] = useState<'rename' | 'remove' | undefined>()
  const [newName, setNewName] = useState(name)
  const handleRename = (event: FormEvent) => {
    event.preventDefault()
    if (newName.trim() && newName.trim() !== name) onRename(newName.trim())
    setAct(undefined)
  }
  if (act === 'rename') {
    return (
      <li>
        <form className={`${style.save} ${style.grow}`} onSubmit={handleRename}>
          <TextInput
            className={style.grow}
            aria-label={t('saved.newName')}
            value={newName}
            maxLength={200}
            ref={(input) => input?.focus()}
            onChange={(event) => setNewName(event.currentTarget.value)}
          />
          <Button type="submit">{t('button.save')}</Button>
          <Button variant="default" onClick={() => setAct(undefined)}>
            {t('button.cancel')}
          </Button>
        </form>
      </li>
    )
  }
  if (act === 'remove') {
    return (
      <li>
        <span className={style.grow}>{t('saved.confirmRemove', { name })}</span>
        <Button color="red" onClick={onRemove}>
          {t('saved.confirm')}
        </Button>
        <Button variant="default" ref={(button) => button?.focus()} onClick={() => setAct(undefined)}>
          {t('button.cancel')}
        </Button>
      </li>
    )
  }
  return (
    <li>
      <button type="button" className={style.savedName} onClick={onApply}>
        {name}
      </button>
      <span className={style.owner}>{owner}</span>
      {mayEdit && (
        <>
          <ActionIcon size={24} aria-label={t('saved.rename', { name })} onClick={() => setAct('rename')}>
            <IconEdit size={14} />
          </ActionIcon>
          <ActionIcon size={24} aria-label={t('saved.remove', { name })} onClick={() => setAct('remove')}>
            <IconTrash size={14} />
          </ActionIcon>
        </>
      )}
    </li>
  )
}
