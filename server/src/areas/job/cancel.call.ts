import type { jobCancel } from '@hilum/contract/calls/job'
import type { Tx } from '../../db/database.ts'
import type { Handler } from '../handler.ts'
import { jobs } from '../jobs.ts'
import { cancelWork } from './cancel-work.command.ts'
import { noteTendedWork } from '../audit/note-tended-work.command.ts'
import { withdrawFromWork } from './withdraw-from-work.command.ts'
import { mayTendWork } from './work.policy.ts'
import { findWorkOwner } from './work-list.sql.ts'

export const cancel: Handler<typeof jobCancel> = async ({ services, input, caller, fail }) => {
  const owner = await findWorkOwner(services.db, input.uuid)
  if (!owner || !(await mayTendWork(caller, owner))) throw fail('NOT_FOUND')
  const note = (tx: Tx) => noteTendedWork(tx, caller, owner, 'work_cancelled')
  const isWithdrawn = await services.db
    .transaction()
    .execute((tx) => withdrawFromWork(tx, jobs, input.uuid, caller.userUuid, note))
  if (isWithdrawn) return { state: 'cancelled' }
  const outcome = await cancelWork(services, jobs, input.uuid, caller.userUuid, note)
  if (outcome === 'gone') throw fail('NOT_FOUND')
  return { state: outcome === 'cancelled' ? 'cancelled' : 'running' }
}
