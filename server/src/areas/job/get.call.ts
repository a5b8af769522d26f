import { jobIdForm, type jobGet } from '@hilum/contract/calls/job'
import type { Handler } from '../handler.ts'
import { findJob } from './job.sql.ts'

/** A person's own jobs alone, in places where the person still belongs; all others are answered as what nobody named. */
export const get: Handler<typeof jobGet> = async ({ services, input, caller, fail }) => {
  const row = jobIdForm.test(input.id) ? await findJob(services.db, caller.userUuid, input.id) : undefined
  const isMember = (await caller.memberships()).some((one) => one.namespaceUuid === row?.namespace_uuid)
  if (!row || !isMember) throw fail('NOT_FOUND')
  const { state, sent, total, error, message, created, updated } = row
  return { id: row.job_id, state, namespace_id: row.namespace_uuid, sent, total, error, message, created, updated }
}
