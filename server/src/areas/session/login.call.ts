import type { sessionLogin } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { findUser } from '../user/user.sql.ts'
import { makeToken } from './make-token.command.ts'
import { signIn } from '../sign-in/sign-in.command.ts'

export const login: Handler<typeof sessionLogin> = async ({ services, input, origin, fail }) => {
  const result = await signIn(services, {
    login: input.login,
    password: input.password,
    vanity: input.vanity ?? '',
    newPassword: input.new_password ?? '',
    clientAddress: origin.clientAddress,
    userAgent: origin.userAgent ?? '',
    device: origin.deviceCookie,
  })
  if (result.kind === 'refused') throw fail(result.code, 'fault' in result ? { subtype: result.fault } : {})
  origin.setCookie?.(result.sid)
  const user = await findUser(services.db, result.userUuid)
  return {
    sid: result.sid,
    ...(input.short === 1 ? await makeToken(services.db, result.sessionUuid) : {}),
    session_id: result.sessionUuid,
    uuid: result.userUuid,
    name: result.name,
    training_todo: 0,
    pin_required: result.waitsFor ? 1 : 0,
    ...(result.waitsFor ? { pin_via: result.waitsFor === 'pin' ? 'totp' : 'setup' } : {}),
    sign_required: 0,
    is_proxy: 0,
    terms_md5: user?.terms_md5 ?? '',
    privacy_md5: user?.privacy_md5 ?? '',
    indicator_md5: user?.indicator_md5 ?? '',
  }
}
