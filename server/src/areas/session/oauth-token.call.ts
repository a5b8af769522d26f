import type { sessionOauthToken } from '@hilum/contract/calls/session'
import { toStamp } from '../../db/to-stamp.ts'
import type { Handler } from '../handler.ts'
import { signInProgram } from '../sign-in/sign-in.command.ts'

const usualSeconds = 3_600
const mostSeconds = 86_400

/** Of what is wrong a program hears no more than that it is: an unknown name, a wrong password and an old one read alike. */
export const oauthToken: Handler<typeof sessionOauthToken> = async ({ services, input, origin, fail }) => {
  if (input.grant_type !== 'client_credentials') throw fail('AUTH_FAILED')
  const seconds = Math.min(Math.max(input.duration ?? usualSeconds, 60), mostSeconds)
  const result = await signInProgram(
    services,
    {
      login: input.client_id,
      password: input.client_secret,
      clientAddress: origin.clientAddress,
      userAgent: origin.userAgent ?? '',
    },
    { method: 'oauth', lifeMinutes: Math.floor(seconds / 60) },
  )
  if (result.kind === 'refused') throw fail(result.code === 'LOCKOUT' ? 'LOCKOUT' : 'AUTH_FAILED')
  return {
    access_token: result.sid,
    token_type: 'bearer',
    expires_in: Math.floor(seconds / 60) * 60,
    created_at: toStamp(new Date()),
  }
}
