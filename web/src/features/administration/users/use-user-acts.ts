import { useState } from 'react'
import { t } from '../../../labels/label.ts'
import { type AccountUser, type UserAct, useActOnUsers } from '../../../queries/account-users.ts'
import { putNotice } from '../../../state/notices.ts'
import { reasonText } from './user-acts.ts'

/** Enables, disables and deletes users, and says what came of it: of one by a passing word (ERROR-10), of several in the page. */
export function useUserActs(accountId: string) {
  const { mutateAsync, isPending } = useActOnUsers(accountId)
  const [message, setMessage] = useState<{ tone: 'failed' | 'priority'; text: string }>()

  async function actOnOne(act: UserAct, user: AccountUser): Promise<boolean> {
    setMessage(undefined)
    const name = user.user_name
    const failure = await mutateAsync({ act, users: [user] }).then(
      ([result]) => result?.failure,
      (thrown: unknown) => thrown,
    )
    putNotice(
      failure ? t(`users.undone.${act}`, { name, reason: reasonText(failure) }) : t(`users.done.${act}`, { name }),
    )
    return !failure
  }

  /** @returns whether anything was done; with nobody to whom the act can be done a warning says so */
  async function actOnMany(act: UserAct, users: readonly AccountUser[]): Promise<boolean> {
    setMessage(undefined)
    if (users.length === 0) {
      setMessage({ tone: 'priority', text: t(`users.atLeastOne.${act}`) })
      return false
    }
    const results = await mutateAsync({ act, users }).catch((failure: unknown) =>
      users.map((user) => ({ user, failure })),
    )
    const undone = results.filter((one) => one.failure)
    const done = results.length - undone.length
    if (done > 0) putNotice(t(`users.doneMany.${act}`, { count: done }))
    if (undone.length > 0) {
      const lines = undone.map(({ user, failure }) =>
        t(`users.undone.${act}`, { name: user.user_name, reason: reasonText(failure) }),
      )
      setMessage({ tone: 'failed', text: lines.join(' ') })
    }
    return done > 0
  }

  return { isBusy: isPending, message, clear: () => setMessage(undefined), actOnOne, actOnMany }
}
