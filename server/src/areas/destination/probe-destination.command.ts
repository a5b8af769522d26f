import type { Peer } from '@hilum/dicom/dimse/request-association'
import type { DestinationHealth } from '@hilum/contract/calls/destination'
import { sendInstances } from '../../outbound/pacs/send-instances.ts'
import { probePeer, type ProbeStep } from '../../outbound/pacs/probe-peer.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from './destination.sql.ts'
import { peerOf } from './peer-of-destination.ts'
import { makeTestImage, testPatient } from './test-image.ts'

/** A peer that answers each step late is told as such. */
const MAX_PROBE_MS = 30_000

/**
 * Tries what a destination is set up for. Stores nothing there.
 * @param sendsImage stores a test image all the same, where images are sent to the destination
 */
export async function probeDestination(
  services: Pick<Services, 'config' | 'render'>,
  destination: DestinationRow,
  sendsImage: boolean,
): Promise<DestinationHealth> {
  const { can_search, can_search_mwl, can_query_retrieve, can_push, can_commit } = destination
  const steps: Exclude<ProbeStep, 'connect'>[] = ['echo']
  if (can_search) steps.push('search')
  if (can_search_mwl) steps.push('worklist')
  if (can_query_retrieve) steps.push('retrieve')
  if (can_push) steps.push('store')
  if (can_push && can_commit) steps.push('commit')
  const peer = await peerOf(services, destination)
  const results: DestinationHealth['steps'] = await probePeer(peer, steps, AbortSignal.timeout(MAX_PROBE_MS))
  if (sendsImage && can_push && results[0]?.outcome === 'ok')
    results.push(await storeTestImage(services, destination, peer))
  return {
    tested_at: new Date().toISOString(),
    ok: results.every((one) => one.outcome === 'ok') ? 1 : 0,
    steps: results,
  }
}

async function storeTestImage(
  { config, render }: Pick<Services, 'config' | 'render'>,
  { uuid }: DestinationRow,
  peer: Peer,
): Promise<DestinationHealth['steps'][number]> {
  const signal = AbortSignal.timeout(MAX_PROBE_MS)
  const [outcome] = await sendInstances(peer, [makeTestImage(uuid, config.uidRoot, new Date())], { render, signal })
  if (!outcome || outcome.kind === 'failed') return { step: 'image', outcome: 'failed', message: outcome?.reason ?? '' }
  const { name, id } = testPatient
  const where = `An image of the patient ${name}, MRN ${id}, lies there now.`
  return { step: 'image', outcome: 'ok', message: [where, outcome.reason].filter(Boolean).join(' ') }
}
