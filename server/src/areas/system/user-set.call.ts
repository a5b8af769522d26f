import type { systemUserSet } from '@hilum/contract/calls/system'
import { foldLogin } from '@hilum/contract/fold-login'
import type { Handler } from '../handler.ts'
import { isProvenLately } from '../session/pin-session.sql.ts'
import { changeFlags } from './change-flags.command.ts'
import { isSystemAdministrator } from './system.sql.ts'

/** Nobody changes their own flags, so that whoever acts remains, unless another took the flag a moment before. */
export const userSet: Handler<typeof systemUserSet> = async ({ services, input, caller, fail }) => {
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  if (foldLogin(input.email) === foldLogin(caller.email)) throw fail('CAN_NOT_PROMOTE')
  const read = (flag: 0 | 1 | undefined) => (flag === undefined ? undefined : flag === 1)
  await services.db.transaction().execute(async (tx) => {
    const flags = { sysadmin: read(input.sysadmin), support: read(input.support) }
    await changeFlags(tx, input.email.trim(), flags, { caller })
    if (!(await isSystemAdministrator(tx, caller.userUuid))) throw fail('NOT_PERMITTED')
  })
  return {}
}
