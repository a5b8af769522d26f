import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { peopleToAddQuery, type PlaceKinds } from '../../../queries/account-groups.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { CancelButton, Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import { optionOf } from '../users/user-filter.tsx'
import style from '../users/users.module.css'

interface Person {
  user_id: string
  user_name: string
}
interface AddMembersProps {
  of: PlaceKinds
  roles: readonly { uuid: string; name: string }[]
  /** The choice of no role of one's own, in words. */
  byDefault: string
  isBusy: boolean
  onAdd: (users: readonly Person[], roleId: string) => Promise<void>
  onClose: () => void
}

const findAfterMs = 300

/** Chooses people of the organisation by name, and the role that they get in a group or location. */
export function AddMembers({ of, roles, byDefault, isBusy, onAdd, onClose }: AddMembersProps) {
  const { account } = useEstablished()
  const [typed, setTyped] = useState('')
  const [word] = useDebouncedValue(typed, findAfterMs)
  const [chosen, setChosen] = useState<readonly Person[]>([])
  const [roleId, setRoleId] = useState('')
  const { data, isLoadingError, isFetching, refetch } = useQuery(peopleToAddQuery(account.uuid, word))
  const others = data?.filter((one) => !chosen.some((other) => other.user_id === one.user_id)) ?? []
  const offered: readonly (Person & { user_email?: string })[] = [...chosen, ...others]
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen.length > 0) void onAdd(chosen, roleId)
  }
  return (
    <Dialog title={t('groups.addMembers')} closeLabel={t('button.close')} onClose={onClose}>
      <form className={style.form} aria-label={t('groups.addMembers')} onSubmit={handleSubmit}>
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
                  .map(({ user_id, user_name }) => ({ user_id, user_name })),
              )
            }
          >
            <div className={style.groups}>
              {offered.length === 0 && t('users.noneFound')}
              {offered.map(({ user_id, user_name }) => (
                <Checkbox key={user_id} size="xs" value={user_id} label={user_name} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        <NativeSelect
          label={t(`${of}.roleHere`)}
          value={roleId}
          data={[{ value: '', label: byDefault }, ...roles.map(optionOf)]}
          onChange={(event) => setRoleId(event.currentTarget.value)}
        />
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
