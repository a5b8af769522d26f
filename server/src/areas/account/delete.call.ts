import { mayDo } from '@hilum/contract/acts'
import { accountDelete } from '@hilum/contract/calls/account-delete'
import type { CallRequest, Handler } from '../handler.ts'
import { cancelWork } from '../job/cancel-work.command.ts'
import { jobs } from '../jobs.ts'
import { publicAddress } from '../mail/public-address.ts'
import { isProvenLately } from '../session/pin-session.sql.ts'
import { closeAccount } from './close-account.command.ts'
import { listOpenWork } from './close-account.sql.ts'

type Request = CallRequest<typeof accountDelete>

export const remove: Handler<typeof accountDelete> = async (request) => {
  const { services, input, caller, origin, fail } = request
  await demandMayClose(request)
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const address = publicAddress(services.config, origin)
  const work = await services.db.transaction().execute(async (tx) => {
    // what the closing itself puts on the queue is the other accounts'
    const open = await listOpenWork(tx, input.uuid)
    switch (await closeAccount(tx, caller, input.uuid, address)) {
      case 'gone':
        throw fail('NOT_FOUND')
      case 'studies':
        throw fail('NOT_EMPTY')
      case 'last':
        throw fail('NOT_PERMITTED', { subtype: 'LAST_ACCOUNT' })
      case 'operator':
        throw fail('NOT_PERMITTED', { subtype: 'SYSTEM_ADMINISTRATOR' })
      case undefined:
        return open
    }
  })
  for (const uuid of work) await cancelWork(services, jobs, uuid, caller.userUuid)
  services.events.ring()
  return {}
}

/** An administrator of the account, or a system administrator; nobody who is signed in as somebody else. */
async function demandMayClose({ input, caller, fail }: Request): Promise<void> {
  const memberships = await caller.memberships()
  const own = memberships.find((one) => one.kind === 'account' && one.ownerUuid === input.uuid)
  if (!own && !caller.sysadmin) throw fail('NOT_FOUND')
  if (caller.proxy || !(caller.sysadmin || (own && mayDo(accountDelete.asks['people of the account'], own))))
    throw fail('NOT_PERMITTED')
}
