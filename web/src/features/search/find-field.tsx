import { useRef, useState } from 'react'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { IconSearch } from '../../ui/icons.ts'
import { recognise } from './recognise.ts'
import { TagOffer } from './tag-offer.tsx'
import style from './search-bar.module.css'

interface FindFieldProps {
  id: string
  value: string
  isDisabled: boolean
  onChange: (typed: string) => void
  /** Told after each letter, but not while a word is still composed from its sounds. */
  onLetters: (typed: string) => void
  /** Whether what is typed is searched by Enter alone. */
  isWaiting: boolean
  /** Tags that are searched by already. */
  tags: readonly string[]
  /** Told of a tag in use that was chosen in place of the text. */
  onTag: (tag: string) => void
}

/** The one field for a name, MRN, accession number, UID or tag; behind what is typed stands what it is taken for. */
export function FindField({ id, value, isDisabled, onChange, onLetters, isWaiting, tags, onTag }: FindFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [hasTyped, setHasTyped] = useState(false)
  const kind = recognise(value)?.kind
  return (
    <div className={style.find} data-kind={kind} data-waits={(kind && isWaiting) || undefined}>
      <TextInput
        ref={field}
        id={id}
        aria-label={t('search.find')}
        placeholder={t('search.findHint')}
        leftSection={<IconSearch size={15} />}
        rightSection={
          <span role="status" className={style.kind} data-kind={kind}>
            {kind && !isWaiting && t(`search.kind.${kind}`)}
            {kind && isWaiting && (
              <>
                <span className={style.waitingKind}>{t(`search.waits.${kind}`)} </span>
                {t('search.waits')}
              </>
            )}
          </span>
        }
        rightSectionPointerEvents="none"
        rightSectionWidth="var(--kind-width)"
        value={value}
        onChange={(event) => {
          setHasTyped(true)
          onChange(event.currentTarget.value)
          const { nativeEvent } = event
          if (!('isComposing' in nativeEvent && nativeEvent.isComposing)) onLetters(event.currentTarget.value)
        }}
        onCompositionEnd={(event) => onLetters(event.currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setHasTyped(false)
        }}
        disabled={isDisabled}
        autoComplete="off"
        spellCheck={false}
      />
      {hasTyped && !isDisabled && (
        <TagOffer
          typed={value}
          inForce={tags}
          onChoose={(tag) => {
            // the button goes with the text that it stood for
            field.current?.focus()
            onTag(tag)
          }}
        />
      )}
    </div>
  )
}
