import type { jobCancel } from '@hilum/contract/calls/job'
import type { Handler } from '../handler.ts'
import { jobs } from '../jobs.ts'
import { cancelWork } from './cancel-work.command.ts'
import { noteTendedWork } from '../audit/note-tended-work.command.ts'
import { mayTendWork } from './work.policy.ts'
import { findWorkOwner } from './work-list.sql.ts'

export const cancel: Handler<typeof jobCancel> = async ({ services, input, caller, fail }) => {
  const owner = await findWorkOwner(services.db, input.uuid)
  if (!owner || !(await mayTendWork(caller, owner))) throw fail('NOT_FOUND')
  const outcome = await cancelWork(services, jobs, input.uuid, caller.userUuid, (tx) =>
    noteTendedWork(tx, caller, owner, 'work_cancelled'),
  )
  if (outcome === 'gone') throw fail('NOT_FOUND')
  return { state: outcome === 'cancelled' ? 'cancelled' : 'running' }
}
