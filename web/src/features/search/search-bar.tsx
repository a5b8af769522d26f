import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useHotkeys } from '@mantine/hooks'
import { cutText } from '../../format/cut.ts'
import { t } from '../../labels/label.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { clearSearchFilters, setSearchFilters, useSearchFilters } from '../../state/search-filters.ts'
import { IconSearch, IconSelector } from '../../ui/icons.ts'
import style from './search-bar.module.css'

/** Marker of All My Groups (SHELL-14). */
const all = '0'
/** CONST-02 */
const nameLength = 25
const fieldId = 'search-patient-name'

interface SearchBarProps {
  inboxes: readonly Inbox[]
  /** Undefined for All My Groups. */
  inbox: Inbox | undefined
  /** Shows the studies of this place by the search in force. */
  onSearch: (inbox: Inbox | undefined) => void
}

/** Patient name and group; the draft is the form's own until Search. Advanced search joins between group and Search. */
export function SearchBar({ inboxes, inbox, onSearch }: SearchBarProps) {
  const inForce = useSearchFilters(({ patientName }) => patientName)
  const [patientName, setPatientName] = useState(inForce)
  const [place, setPlace] = useState(inbox?.id ?? all)
  useHotkeys([['/', () => document.getElementById(fieldId)?.focus()]])
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setSearchFilters({ patientName: patientName.trim() })
    onSearch(inboxes.find(({ id }) => id === place))
  }
  const handleClear = () => {
    clearSearchFilters()
    setPatientName('')
    setPlace(all)
    onSearch(undefined)
  }
  const groups = inboxes.map(({ id, name, kind }) => ({ value: id, label: cutText(placeName(kind, name), nameLength) }))
  return (
    <search className={style.bar}>
      <form className={style.form} onSubmit={handleSubmit}>
        <TextInput
          id={fieldId}
          className={style.name}
          aria-label={t('search.patientName')}
          placeholder={t('search.patientName')}
          leftSection={<IconSearch size={15} aria-hidden="true" />}
          value={patientName}
          onChange={(event) => setPatientName(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <NativeSelect
          rightSection={<IconSelector size={14} aria-hidden="true" />}
          className={style.group}
          aria-label={t('search.group')}
          data={[{ value: all, label: t('search.allGroups') }, ...groups]}
          value={place}
          onChange={(event) => setPlace(event.currentTarget.value)}
        />
        <Button type="submit">{t('search.submit')}</Button>
        <Button variant="subtle" color="gray" onClick={handleClear}>
          {t('search.clear')}
        </Button>
      </form>
    </search>
  )
}

function placeName(kind: Inbox['kind'], name: string): string {
  if (kind === 'mine') return t('nav.myStudies')
  return kind === 'organisation' ? t('nav.organisationInbox') : name
}
