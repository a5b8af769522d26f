import * as z from 'zod/mini'
import { jobStates } from './calls/job.ts'

/*
 * The websocket at `channel/websocket` (`api-facts` §1.4): text frames of JSON. The sid travels in the subscribe
 * message, never in the address. Where there are too many lines, one is closed with a reason in words: with 1013 (try
 * again later) when they are too many in all, or when it never said whose it is; with 1008 when they are one person's.
 */

/** A client that neither speaks nor pings for this long is let go. */
export const channelIdleMs = 300_000
export const channelPingMs = 10_000

export const channelRequest = z.object({
  action: z.enum(['subscribe', 'unsubscribe', 'ping']),
  /** `study.{namespace_id}`, `job.{namespace_id}` or `order.{namespace_id}`. */
  channel: z.optional(z.string()),
  sid: z.optional(z.string()),
})

/** The answer to `subscribe`: what happens from here on is told. */
export const channelJoined = z.object({ status: z.literal('OK'), channel: z.string() })

/** A channel that may not be heard: the answer to `subscribe`, or later, when the session or the right has ended. */
export const channelRefused = z.object({
  status: z.literal('ERROR'),
  error_type: z.literal('NOT_PERMITTED'),
  channel: z.string(),
})

/**
 * Events of a subscription. STUDY (ours) says that the record changed in any way: read it again. READY: it is complete. RETRACTED (ours): its owner took it back, so that it is
 * not to be read any more.
 * On `order.{namespace_id}` (ours) ORDER says that an order of the place was made, changed or deleted, to those who may see
 * the orders of the place; uuid is the order's.
 * On `job.{namespace_id}` one hears of one's own requests that name a job, at each change of what `job/get` tells:
 * PROGRESS and BROKEN (both ours) and DONE. BROKEN may be followed by PROGRESS again: a download goes on from where it
 * was broken off, another request of the same name begins.
 */
export const channelEvent = z.object({
  event: z.enum(['STUDY', 'READY', 'RETRACTED', 'ORDER', 'EDIT', 'DONE', 'PROGRESS', 'BROKEN']),
  channel: z.string(),
  sid_md5: z.string(),
  uuid: z.optional(z.string()),
  namespace_id: z.optional(z.string()),
  job_id: z.optional(z.string()),
  state: z.optional(z.enum(jobStates)),
  sent: z.optional(z.number()),
  total: z.optional(z.number()),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
})
export type ChannelEvent = z.infer<typeof channelEvent>
