import { type KeyScope, keyScopes } from '@hilum/contract/key-scopes'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { namespacesQuery } from '../../queries/namespaces.ts'
import type { KeyOptions } from '../../queries/own-keys.ts'
import { useEstablished } from '../../session/session-store.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './account.module.css'

const scopes = Object.keys(keyScopes) as KeyScope[]
const lives = [30, 90, 180, 366]

interface KeyFormProps {
  isBusy: boolean
  failure: Error | undefined
  onMake: (options: KeyOptions) => void
  onCancel: () => void
}

/** Asks what a key is for: its name, what it may do, where, and for how long. */
export function KeyForm({ isBusy, failure, onMake, onCancel }: KeyFormProps) {
  const { account } = useEstablished()
  const places = useQuery(namespacesQuery(account.uuid)).data ?? []
  const nameField = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>(['view'])
  const [place, setPlace] = useState('')
  const [days, setDays] = useState('90')
  const [isTried, setIsTried] = useState(false)
  const isNamed = name.trim() !== ''
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (!isNamed) nameField.current?.focus()
    if (!isNamed || chosen.length === 0) return
    const wanted = scopes.filter((scope) => chosen.includes(scope))
    onMake({ name: name.trim(), scopes: wanted, days: Number(days), ...(place ? { namespaceId: place } : {}) })
  }
  return (
    <form className={style.form} aria-label={t('programKeys.add')} onSubmit={handleSubmit}>
      {failure && <Banner tone="failed">{t(textOf(failure))}</Banner>}
      <TextInput
        ref={nameField}
        label={t('programKeys.name')}
        description={t('programKeys.nameHelp')}
        value={name}
        maxLength={100}
        autoComplete="off"
        autoFocus
        error={isTried && !isNamed ? t('programKeys.nameMissing') : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={t('programKeys.may')}
        value={chosen}
        error={isTried && chosen.length === 0 ? t('programKeys.mayMissing') : undefined}
        onChange={setChosen}
      >
        <div className={style.choices}>
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(`programKeys.scope.${scope}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={style.pair}>
        <NativeSelect
          label={t('programKeys.place')}
          value={place}
          data={[
            { value: '', label: t('programKeys.everywhere') },
            ...places.map((one) => ({ value: one.namespaceId, label: one.name })),
          ]}
          onChange={(event) => setPlace(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('programKeys.after')}
          value={days}
          data={lives.map((count) => ({ value: String(count), label: t('programKeys.days', { count }) }))}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </div>
      <div className={style.asked}>
        <Button type="submit" loading={isBusy}>
          {t('programKeys.add')}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={onCancel}>
          {t('button.cancel')}
        </Button>
      </div>
    </form>
  )
}

function textOf(failure: Error) {
  const code = failureCode(failure)
  if (code === 'TOO_MANY_KEYS') return 'programKeys.tooMany'
  return code === 'NAMESPACE_NOT_FOUND' ? 'programKeys.placeGone' : 'programKeys.addFailed'
}
