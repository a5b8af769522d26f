import { NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextInput } from '../../../../fields/text-input.tsx'
import { nameWithEmail } from '../../../../format/name-with-email.ts'
import { t } from '../../../../labels/label.ts'
import { peopleToAddQuery } from '../../../../queries/account-groups.ts'
import { useEstablished } from '../../../../session/session-store.ts'
import style from './leavers.module.css'

const findAfterMs = 300

interface TakerChoiceProps {
  leaverId: string
  chosen: string
  onChoose: (userId: string) => void
}

/** Finds the person who takes things over, by name. */
export function TakerChoice({ leaverId, chosen, onChoose }: TakerChoiceProps) {
  const { account } = useEstablished()
  const [typed, setTyped] = useState('')
  const [word] = useDebouncedValue(typed, findAfterMs)
  const { data, isLoadingError } = useQuery(peopleToAddQuery(account.uuid, word))
  const people = data?.users.filter((one) => one.user_id !== leaverId) ?? []
  const isListed = people.some((one) => one.user_id === chosen)
  return (
    <div className={style.receiver}>
      <TextInput
        label={t('leavers.find')}
        value={typed}
        maxLength={200}
        autoComplete="off"
        error={isLoadingError && t('users.failed')}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onChoose('')
        }}
      />
      <NativeSelect
        label={t('leavers.to')}
        description={data?.hasMore ? t('share.moreFound') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={isListed ? chosen : ''}
        data={[
          { value: '', label: data && people.length === 0 ? t('leavers.toNobody') : '–' },
          ...people.map((one) => ({ value: one.user_id, label: nameWithEmail(one.user_name, one.user_email) })),
        ]}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
    </div>
  )
}
