import { jobIdForm, type jobGet } from '@hilum/contract/calls/job'
import type { Handler } from '../handler.ts'
import { findJob } from './job.sql.ts'

/** A person's own jobs alone: what others named is answered as what nobody did. */
export const get: Handler<typeof jobGet> = async ({ services, input, caller, fail }) => {
  const row = jobIdForm.test(input.id) ? await findJob(services.db, caller.userUuid, input.id) : undefined
  if (!row) throw fail('NOT_FOUND')
  const { state, sent, total, error, message, created, updated } = row
  return { id: row.job_id, state, namespace_id: row.namespace_uuid, sent, total, error, message, created, updated }
}
