import '@mantine/core/styles/Combobox.layer.css'
import { Combobox, useCombobox } from '@mantine/core'
import { useId, useState } from 'react'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { IconSearch } from '../../ui/icons.ts'
import style from './command-palette.module.css'
import { useOpenSearch } from './open-search.ts'
import { type Entry, matching, useEntries } from './palette-entries.tsx'
import { iconKeyOf, paletteIcons } from './palette-icons.ts'

/** Entries of one kind shown while nothing is typed, and of all kinds while something is. */
const MOST_OF_A_KIND = 6
const MOST_FOUND = 12
const kinds = ['study', 'search', 'place', 'act', 'page', 'patient'] as const

/** Leads to a study, a search, a place or an act by a few letters of its name; what is typed can be looked for as a patient's name. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const box = useCombobox({ opened: true })
  const listId = useId()
  const { openName } = useOpenSearch()
  const entries = useEntries()
  const wanted = typed.trim()
  const found = wanted ? matching(entries, wanted).slice(0, MOST_FOUND) : firstOfEach(entries)
  const byName: Entry | undefined = wanted
    ? { id: 'name', kind: 'patient', label: t('palette.byName', { name: wanted }), run: () => openName(wanted) }
    : undefined
  const shown = byName ? [...found, byName] : found
  // once the options for what was typed are drawn
  const selectFirst = () => requestAnimationFrame(() => box.selectFirstOption())
  const handleSubmit = (id: string) => {
    onClose()
    shown.find((entry) => entry.id === id)?.run()
  }
  return (
    <Dialog title={t('palette.title')} closeLabel={t('button.close')} onClose={onClose}>
      <Combobox store={box} onOptionSubmit={handleSubmit}>
        <Combobox.EventsTarget aria-expanded aria-controls={listId}>
          <TextInput
            data-autofocus
            role="combobox"
            aria-label={t('palette.field')}
            placeholder={t('palette.placeholder')}
            leftSection={<IconSearch size={15} />}
            value={typed}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onFocus={selectFirst}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              selectFirst()
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} className={style.options} aria-label={t('palette.title')}>
          {kinds.map((kind) => {
            const ofKind = shown.filter((entry) => entry.kind === kind)
            return (
              ofKind.length > 0 && (
                <Combobox.Group key={kind} label={t(`palette.kind.${kind}`)}>
                  {ofKind.map((entry) => (
                    <PaletteRow key={entry.id} entry={entry} />
                  ))}
                </Combobox.Group>
              )
            )
          })}
        </Combobox.Options>
      </Combobox>
      <HeardOnly>
        <span role="status">{wanted ? t('palette.found', { count: found.length }) : ''}</span>
      </HeardOnly>
    </Dialog>
  )
}

function PaletteRow({ entry }: { entry: Entry }) {
  const Icon = paletteIcons[iconKeyOf(entry)]
  return (
    <Combobox.Option value={entry.id} className={style.option}>
      <Icon size={16} className={style.icon} />
      <span className={style.name}>{entry.label}</span> {entry.note && <span className={style.note}>{entry.note}</span>}
    </Combobox.Option>
  )
}

function firstOfEach(entries: readonly Entry[]): readonly Entry[] {
  return kinds.flatMap((kind) => entries.filter((entry) => entry.kind === kind).slice(0, MOST_OF_A_KIND))
}
