import type { DestinationHealth } from '@hilum/contract/calls/destination'
import { probePeer, type ProbeStep } from '../../outbound/pacs/probe-peer.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from './destination.sql.ts'
import { peerOf } from './peer-of-destination.ts'

/** A peer that answers each step late is told as such. */
const MAX_PROBE_MS = 30_000

/** Tries what a destination is set up for. Stores nothing there. */
export async function probeDestination(
  services: Pick<Services, 'config'>,
  destination: DestinationRow,
): Promise<DestinationHealth> {
  const { can_search, can_search_mwl, can_query_retrieve, can_push, can_commit } = destination
  const steps: Exclude<ProbeStep, 'connect'>[] = ['echo']
  if (can_search) steps.push('search')
  if (can_search_mwl) steps.push('worklist')
  if (can_query_retrieve) steps.push('retrieve')
  if (can_push) steps.push('store')
  if (can_push && can_commit) steps.push('commit')
  const results = await probePeer(await peerOf(services, destination), steps, AbortSignal.timeout(MAX_PROBE_MS))
  return {
    tested_at: new Date().toISOString(),
    ok: results.every((one) => one.outcome === 'ok') ? 1 : 0,
    steps: results,
  }
}
