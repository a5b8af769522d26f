import { ActionIcon, Button } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import type { ListedSearch } from '../../queries/saved-searches.ts'
import { IconArrowUp, IconEdit, IconHome, IconTrash, IconUserShare } from '../../ui/icons.ts'
import style from './saved-searches.module.css'
import { SearchShares } from './search-shares.tsx'

interface SavedRowProps {
  saved: ListedSearch
  /** The owner of the search, in words. */
  owner: string
  inboxes: readonly Inbox[]
  onApply: () => void
  onRename: (name: string) => void
  onRemove: () => void
  /** Whether the person begins with this search after signing in. */
  isStart: boolean
  onStart: (isStart: boolean) => void
  /** Undefined for the first. */
  onUp: (() => void) | undefined
}

/** One saved search: its name puts it in force, what else may be done stands beside. */
export function SavedRow({ saved, owner, inboxes, onApply, onRename, onRemove, ...props }: SavedRowProps) {
  const { name, mayEdit } = saved
  const [act, setAct] = useState<'rename' | 'remove' | 'share' | undefined>()
  const shareButton = useRef<HTMLButtonElement>(null)
  const [newName, setNewName] = useState(name)
  const handleRename = (event: FormEvent) => {
    event.preventDefault()
    if (newName.trim() && newName.trim() !== name) onRename(newName.trim())
    setAct(undefined)
  }
  const handleShared = () => {
    shareButton.current?.focus()
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
        <span className={style.question}>{t('saved.confirmRemove', { name })}</span>
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
      <button type="button" className={style.savedName} title={name} onClick={onApply}>
        {name}
      </button>
      <span className={style.owner} title={owner}>
        {owner}
      </span>
      <ActionIcon
        size={24}
        aria-label={t('saved.up', { name })}
        title={t('saved.up', { name })}
        aria-disabled={!props.onUp}
        data-disabled={!props.onUp || undefined}
        onClick={() => props.onUp?.()}
      >
        <IconArrowUp size={14} />
      </ActionIcon>
      <ActionIcon
        size={24}
        aria-label={t('saved.start', { name })}
        title={t('saved.start', { name })}
        aria-pressed={props.isStart}
        variant={props.isStart ? 'light' : undefined}
        onClick={() => props.onStart(!props.isStart)}
      >
        <IconHome size={14} />
      </ActionIcon>
      {mayEdit && (
        <>
          <ActionIcon
            ref={shareButton}
            size={24}
            aria-label={t('saved.share', { name })}
            aria-expanded={act === 'share'}
            onClick={() => setAct(act === 'share' ? undefined : 'share')}
          >
            <IconUserShare size={14} />
          </ActionIcon>
          <ActionIcon size={24} aria-label={t('saved.rename', { name })} onClick={() => setAct('rename')}>
            <IconEdit size={14} />
          </ActionIcon>
          <ActionIcon size={24} aria-label={t('saved.remove', { name })} onClick={() => setAct('remove')}>
            <IconTrash size={14} />
          </ActionIcon>
        </>
      )}
      {act === 'share' && <SearchShares saved={saved} inboxes={inboxes} onClose={handleShared} />}
    </li>
  )
}
