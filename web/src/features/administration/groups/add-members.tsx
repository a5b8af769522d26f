import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type MemberOutcome, peopleToAddQuery, type PlaceKinds } from '../../../queries/account-groups.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { type ListedRole, roleOptionOf } from '../users/user-filter.tsx'
import style from '../users/users.module.css'
import { placeReason } from './place-reasons.ts'

interface Person {
  user_id: string
  user_name: string
  user_email: string
}
interface AddMembersProps {
  of: PlaceKinds
  roles: readonly ListedRole[]
  /** The choice of no role of one's own, in words. */
  byDefault: string
  isBusy: boolean
  /** @returns those who could not be added */
  onAdd: (users: readonly Person[], roleId: string) => Promise<readonly MemberOutcome<Person>[]>
  onClose: () => void
}

const findAfterMs = 300

/** Chooses people of the organisation by name, and the role that they get in a group or location; who could not be added stays chosen. */
export function AddMembers({ of, roles, byDefault, isBusy, onAdd, onClose }: AddMembersProps) {
  const { account } = useEstablished()
  const [typed, setTyped] = useState('')
  const [word] = useDebouncedValue(typed, findAfterMs)
  const [chosen, setChosen] = useState<readonly Person[]>([])
  const [roleId, setRoleId] = useState('')
  const { data, isLoadingError, isFetching, refetch } = useQuery(peopleToAddQuery(account.uuid, word))
  const [refused, setRefused] = useState<readonly MemberOutcome<Person>[]>([])
  const others = data?.users.filter((one) => !chosen.some((other) => other.user_id === one.user_id)) ?? []
  const offered: readonly Person[] = [...chosen, ...others]
  const faults = refused.filter(({ one }) => chosen.some((other) => other.user_id === one.user_id))
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (chosen.length === 0 || isBusy) return
    const left = await onAdd(chosen, roleId)
    setChosen(left.map(({ one }) => one))
    setRefused(left)
  }
  return (
    <Dialog title={t('groups.addMembers')} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={t('groups.addMembers')} onSubmit={(event) => void handleSubmit(event)}>
        <TextInput
          label={t('groups.findPerson')}
          value={typed}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {isLoadingError && (
          <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
            {t('users.failed')}
          </FailedBanner>
        )}
        {!data && !isLoadingError && <LoadingState label={t('loading')} />}
        {data && (
          <Checkbox.Group
            label={t('groups.chosen', { count: chosen.length })}
            value={chosen.map((one) => one.user_id)}
            onChange={(ids) =>
              setChosen(
                offered
                  .filter((one) => ids.includes(one.user_id))
                  .map(({ user_id, user_name, user_email }) => ({ user_id, user_name, user_email })),
              )
            }
          >
            <div className={style.groups}>
              {offered.length === 0 && t('users.noneFound')}
              {offered.map(({ user_id, user_name, user_email }) => (
                <Checkbox
                  key={user_id}
                  size="xs"
                  value={user_id}
                  label={user_name}
                  description={user_email === user_name ? undefined : user_email}
                />
              ))}
              {data.hasMore && <p className={style.hint}>{t('share.moreFound')}</p>}
            </div>
          </Checkbox.Group>
        )}
        <NativeSelect
          label={t(`${of}.roleHere`)}
          value={roleId}
          data={[{ value: '', label: byDefault }, ...roles.map(roleOptionOf)]}
          onChange={(event) => setRoleId(event.currentTarget.value)}
        />
        {faults.length > 0 && (
          <Banner tone="failed">
            {faults
              .map(({ one, failure }) =>
                t('groups.memberFailed', { name: one.user_name, reason: placeReason(of, failure) }),
              )
              .join(' ')}
          </Banner>
        )}
        <div className={style.buttons}>
          <CancelButton onCancel={onClose}>{t('button.cancel')}</CancelButton>
          <Button type="submit" loading={isBusy} disabled={chosen.length === 0}>
            {t(`${of}.addThem`)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
