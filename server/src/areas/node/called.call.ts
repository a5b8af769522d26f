import { mostCalledPlaces, type nodeCalled } from '@hilum/contract/calls/node'
import type { Handler } from '../handler.ts'
import { isLocalHost, reachedHost } from './listener-host.ts'
import { listTitledPlaces } from './node.sql.ts'
import { isClosedToSenders, listPeerWords } from './peer-rules.ts'

export const called: Handler<typeof nodeCalled> = async ({ services, on }) => {
  const { host, port, tlsPort, tlsAuthoritiesFile } = services.config.dicom
  const places = await listTitledPlaces(services.db, on.ownerUuid, mostCalledPlaces + 1)
  return {
    places: places.slice(0, mostCalledPlaces).map((one) => ({
      ...one,
      senders: listPeerWords(one.senders),
      is_closed_to_senders: isClosedToSenders(one.senders) ? 1 : 0,
      query_peers: listPeerWords(one.query_peers),
      worklist_peers: listPeerWords(one.worklist_peers),
    })),
    more: places.length > mostCalledPlaces ? 1 : 0,
    host: reachedHost(host),
    is_local: isLocalHost(host) ? 1 : 0,
    port,
    tls_port: tlsPort ?? 0,
    tls_asks_certificate: tlsAuthoritiesFile ? 1 : 0,
  }
}
