import type { ChannelEvent } from '@hilum/contract/channel'
import { useEffect, useState } from 'react'
import { subscribe } from '../api/channel.ts'

/** How far a job is, in bytes. */
export interface FollowedJobState {
  event: 'PROGRESS' | 'DONE' | 'BROKEN'
  sent: number
  total: number
}
type JobStates = Readonly<Record<string, FollowedJobState | undefined>>

/**
 * How far one's own jobs in these namespaces are, by their ids. A job of which nothing is heard is not there: its events
 * may be withheld by a role, and say nothing on whether it goes on.
 */
export function useJobStates(namespaceIds: readonly string[]): JobStates {
  const [states, setStates] = useState<JobStates>({})
  const joined = [...new Set(namespaceIds)].toSorted().join(' ')
  useEffect(() => {
    const hear = (event: ChannelEvent | 'joined') => {
      if (event === 'joined') return setStates(withoutUnderWay)
      const { job_id: jobId, sent = 0, total = 0 } = event
      const name = nameOf(event)
      if (jobId && name) setStates((now) => ({ ...now, [jobId]: { event: name, sent, total } }))
    }
    const stops = joined
      .split(' ')
      .filter(Boolean)
      .map((namespaceId) => subscribe(`job.${namespaceId}`, hear))
    return () => {
      for (const stop of stops) stop()
    }
  }, [joined])
  return states
}

/** After a break the server tells anew what is under way; what it does not tell any more may have ended unheard. */
function withoutUnderWay(states: JobStates): JobStates {
  return Object.fromEntries(Object.entries(states).filter(([, state]) => state?.event !== 'PROGRESS'))
}

function nameOf({ event }: ChannelEvent): FollowedJobState['event'] | undefined {
  return event === 'PROGRESS' || event === 'DONE' || event === 'BROKEN' ? event : undefined
}
