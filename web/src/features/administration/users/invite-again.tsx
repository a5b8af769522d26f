import { userWelcome } from '@hilum/contract/calls/user-invite'
import { Button } from '@mantine/core'
import { failureCode } from '../../../api/api-failure.ts'
import { t } from '../../../labels/label.ts'
import { useInviteAgain } from '../../../queries/account-users.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { reasonText } from './user-acts.ts'
import style from './users.module.css'

/** Mails a new invitation to somebody who has not signed in yet: the link of the first one ends after a week. */
export function InviteAgain({ email }: { email: string }) {
  const { account } = useEstablished()
  const mayInvite = useMayCall(userWelcome)
  const invite = useInviteAgain(account.uuid)
  if (!mayInvite) return undefined
  return (
    <div className={style.twoFactor} role="group" aria-label={t('users.invitation')}>
      {invite.isError && (
        <Banner tone="failed">
          {failureCode(invite.error) === 'LOCKOUT'
            ? t('users.invitedOften')
            : t('users.inviteFailed', { reason: reasonText(invite.error) })}
        </Banner>
      )}
      <span role="status">
        {invite.isSuccess
          ? t(invite.data.has_smtp === 0 ? 'users.invitedUnsent' : 'users.invited', { email })
          : t('users.notSignedInYet')}
      </span>
      <Button variant="default" loading={invite.isPending} onClick={() => invite.mutate(email)}>
        {t('users.inviteAgain')}
      </Button>
    </div>
  )
}
