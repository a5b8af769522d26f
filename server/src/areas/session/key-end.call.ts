import type { sessionKeyEnd } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { removeKey } from './keys.command.ts'

export const keyEnd: Handler<typeof sessionKeyEnd> = async ({ services, input, caller, fail }) => {
  const isEnded = await services.db.transaction().execute((tx) => removeKey(tx, caller, input.uuid))
  if (!isEnded) throw fail('NOT_FOUND')
  return {}
}
