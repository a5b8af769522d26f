import { probePeer } from '../../outbound/pacs/probe-peer.ts'
import type { Services } from '../../services.ts'
import { declaredJobs, type PayloadOf } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { findDestination } from './destination.sql.ts'
import { listToEcho, noteEcho } from './echo.sql.ts'
import { peerOf } from './peer-of-destination.ts'

/** How often each destination is asked. */
const EVERY_MINUTES = 5
const MAX_ECHO_MS = 20_000

/** Has every destination asked whether it answers, each in a lane of its own: one that hangs delays no other. */
export async function echoDestinations({ db }: Pick<Services, 'db'>): Promise<void> {
  for (const uuid of await listToEcho(db, EVERY_MINUTES)) {
    const work = { group: `destination-echo:${uuid}`, key: `echo:${uuid}` }
    await enqueue(db, declaredJobs.echoDestination, { destinationUuid: uuid }, work)
  }
}

/** Asks a destination by C-ECHO (PS3.4 A). No answer is an answer as well, and no failure of the work. */
export async function echoDestination(
  services: Pick<Services, 'db' | 'config'>,
  { destinationUuid }: PayloadOf<'echoDestination'>,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const destination = await findDestination(services.db, destinationUuid)
  if (!destination) return
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_ECHO_MS)])
  const results = await probePeer(await peerOf(services, destination), ['echo'], limit)
  // a server that stops says nothing about the destination
  if (signal.aborted) return
  const fault = results.find(({ outcome }) => outcome !== 'ok')
  await noteEcho(services.db, destination, { isOk: fault === undefined, message: fault?.message ?? '' })
}
