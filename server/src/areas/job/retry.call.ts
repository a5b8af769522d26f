import type { jobRetry } from '@hilum/contract/calls/job'
import type { Handler } from '../handler.ts'
import { mayTendWork } from './work.policy.ts'
import { findWorkOwner, retryWork } from './work-list.sql.ts'

export const retry: Handler<typeof jobRetry> = async ({ services, input, caller, fail }) => {
  const owner = await findWorkOwner(services.db, input.uuid)
  if (!owner || !(await mayTendWork(caller, owner))) throw fail('NOT_FOUND')
  if (!(await retryWork(services.db, input.uuid))) throw fail('NOT_FOUND')
  return {}
}
