import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { ProviderRow } from './provider.sql.ts'
import type { SignInRefusal } from './sign-in-refusal.ts'

/** Puts a sign-in that came to nothing on record, in the account whose provider it was tried by. */
export async function noteSignInRefusal(
  { db }: Pick<Services, 'db'>,
  provider: ProviderRow | undefined,
  { fault, code, userUuid }: SignInRefusal,
  more: { clientAddress: string; purpose: string; email?: string | undefined },
): Promise<void> {
  const { clientAddress, purpose, email } = more
  await writeAudit(db, {
    accountUuid: provider?.account_uuid ?? null,
    caller: undefined,
    action: 'LOGIN_FAILED',
    type: 'User',
    ...(userUuid ? { objectUuid: userUuid } : {}),
    detail: {
      reason: fault,
      method: 'sso',
      purpose,
      ...(provider ? { provider: provider.button } : {}),
      ...(code ? { code } : {}),
      ...(email ? { email } : {}),
      client_address: clientAddress,
    },
  })
}
