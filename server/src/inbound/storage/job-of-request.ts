import { jobIdForm } from '@hilum/contract/calls/job'
import type { FastifyRequest } from 'fastify'
import type { Asker } from '../../access/caller.ts'
import type { JobKey } from '../../areas/job/job-feed.ts'

/**
 * The job that a request names (`api-facts` §4); in the address where, as in a frame, there are no headers to set. A text
 * that can be no name names none, and the request is done all the same; nobody follows jobs of a link.
 */
export function jobOfRequest(request: FastifyRequest, asker: Asker, namespaceUuid: string): JobKey | undefined {
  if (asker.kind === 'link') return undefined
  const { userUuid } = asker
  const { job_id: inAddress } = request.query as { job_id?: unknown }
  const jobId = request.headers['x-ambrahealth-job-id'] ?? inAddress
  return typeof jobId === 'string' && jobIdForm.test(jobId) ? { jobId, userUuid, namespaceUuid } : undefined
}
