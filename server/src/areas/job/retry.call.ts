import type { jobRetry } from '@hilum/contract/calls/job'
import type { Handler } from '../handler.ts'
import { noteTendedWork } from '../audit/note-tended-work.command.ts'
import { mayTendWork } from './work.policy.ts'
import { findWorkOwner, retryWork } from './work-list.sql.ts'

export const retry: Handler<typeof jobRetry> = async ({ services, input, caller, fail }) => {
  const owner = await findWorkOwner(services.db, input.uuid)
  if (!owner || !(await mayTendWork(caller, owner))) throw fail('NOT_FOUND')
  await services.db.transaction().execute(async (tx) => {
    if (!(await retryWork(tx, input.uuid))) throw fail('NOT_FOUND')
    await noteTendedWork(tx, caller, owner, 'work_run_again')
  })
  return {}
}
