import { TextInput } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { IconSearch } from '../../ui/icons.ts'
import { recognise } from './recognise.ts'
import style from './search-bar.module.css'

interface FindFieldProps {
  id: string
  value: string
  isDisabled: boolean
  onChange: (typed: string) => void
  /** Told after each letter, but not while a word is still composed from its sounds. */
  onLetters: (typed: string) => void
}

/** The one field for a name, MRN, accession number, UID or tag; behind what is typed stands what it is taken for. */
export function FindField({ id, value, isDisabled, onChange, onLetters }: FindFieldProps) {
  const kind = recognise(value)?.kind
  return (
    <TextInput
      id={id}
      className={style.find}
      aria-label={t('search.find')}
      placeholder={t('search.findHint')}
      leftSection={<IconSearch size={15} />}
      rightSection={
        <span role="status" className={style.kind} data-kind={kind}>
          {kind && t(`search.kind.${kind}`)}
        </span>
      }
      rightSectionPointerEvents="none"
      rightSectionWidth={kind ? kindWidths[kind] : 0}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value)
        const { nativeEvent } = event
        if (!('isComposing' in nativeEvent && nativeEvent.isComposing)) onLetters(event.currentTarget.value)
      }}
      onCompositionEnd={(event) => onLetters(event.currentTarget.value)}
      disabled={isDisabled}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** Room for each word, px. */
const kindWidths = { patientName: 52, number: 116, studyUid: 44, tag: 44 } as const
