import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../../api/api-failure.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type SystemPerson, systemPeopleQuery, useSetFlags } from '../../../queries/system.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useProof, wantsProof } from '../../../session/use-proof.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import style from '../users/users.module.css'
import own from './system.module.css'

type Flags = { email: string; sysadmin?: 0 | 1; support?: 0 | 1 }

/** System administrators and supporters; a system administrator gives the flags to others and takes them back. */
export function SystemPeople({ mayChange }: { mayChange: boolean }) {
  const { user } = useEstablished()
  const { data, isError, isFetching, refetch } = useQuery(systemPeopleQuery)
  const set = useSetFlags()
  const proof = useProof()
  const [email, setEmail] = useState('')
  const send = (flags: Flags, onDone?: () => void) =>
    set.mutate(flags, {
      onSuccess: onDone,
      onError: (failure) => proof.ask(failure, () => send(flags, onDone)),
    })
  const handleAdd = (event: FormEvent) => {
    event.preventDefault()
    if (email.trim() && !set.isPending) send({ email: email.trim(), support: 1 }, () => setEmail(''))
  }
  const isRefused = set.isError && !wantsProof(set.error)
  return (
    <TitledSection id="system-people" title={t('system.staff')} level={3}>
      <p className={style.lead}>{t('system.staffLead')}</p>
      {!data && !isError && <LoadingState label={t('loading')} />}
      {!data && isError && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('system.staffFailed')}
        </FailedBanner>
      )}
      {isRefused && <Banner tone="failed">{t(faultOf(set.error))}</Banner>}
      <ul className={own.people}>
        {data?.map((person) => (
          <Person
            key={person.uuid}
            person={person}
            isOwn={person.uuid === user.uuid}
            mayChange={mayChange && person.disabled === 0 && !set.isPending}
            onChange={send}
          />
        ))}
      </ul>
      {mayChange && (
        <form className={own.add} noValidate onSubmit={handleAdd}>
          <TextInput
            size="xs"
            type="email"
            label={t('system.staffEmail')}
            value={email}
            onChange={(event) => {
              setEmail(event.currentTarget.value)
              set.reset()
            }}
          />
          <Button type="submit" variant="default" size="xs" loading={set.isPending}>
            {t('system.staffAdd')}
          </Button>
        </form>
      )}
      {proof.dialog}
    </TitledSection>
  )
}

interface PersonProps {
  person: SystemPerson
  isOwn: boolean
  mayChange: boolean
  onChange: (flags: Flags) => void
}

function Person({ person, isOwn, mayChange, onChange }: PersonProps) {
  const { email, sysadmin, support } = person
  const name = person.name || email
  const box = (flag: 'sysadmin' | 'support', label: string, value: number) => (
    <Checkbox
      size="xs"
      label={label}
      aria-label={t('system.flagOf', { flag: label, name })}
      checked={value === 1}
      disabled={isOwn || !mayChange}
      onChange={(event) => onChange({ email, [flag]: event.currentTarget.checked ? 1 : 0 })}
    />
  )
  return (
    <li>
      <div className={own.name}>
        {name}
        {isOwn && <span className={style.mark}>{t('system.you')}</span>}
        {person.disabled === 1 && <span className={style.mark}>{t('system.disabled')}</span>}
        {person.name && <div className={own.email}>{email}</div>}
      </div>
      {box('sysadmin', t('system.sysadmin'), sysadmin)}
      {box('support', t('system.supporter'), support)}
    </li>
  )
}

function faultOf(failure: Error | null) {
  const code = failureCode(failure)
  return code === 'USER_NOT_FOUND' || code === 'CAN_NOT_PROMOTE'
    ? (`system.fault.${code}` as const)
    : ('system.fault.other' as const)
}
