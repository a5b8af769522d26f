import type { sessionLogin } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { signIn } from './sign-in.command.ts'

export const login: Handler<typeof sessionLogin> = async ({ services, input, origin, fail }) => {
  const result = await signIn(services, {
    login: input.login,
    password: input.password,
    vanity: input.vanity ?? '',
    newPassword: input.new_password ?? '',
    clientAddress: origin.clientAddress,
  })
  if (result.kind === 'refused') throw fail(result.code)
  origin.setCookie?.(result.sid)
  return {
    sid: result.sid,
    uuid: result.userUuid,
    name: result.name,
    training_todo: 0,
    pin_required: 0,
    sign_required: 0,
    is_proxy: 0,
    terms_md5: '',
    privacy_md5: '',
    indicator_md5: '',
  }
}
