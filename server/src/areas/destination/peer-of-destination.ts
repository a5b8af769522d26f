import type { Peer } from '@hilum/dicom/dimse/request-association'
import { findCertificate } from '../../certificate.ts'
import type { Services } from '../../services.ts'
import type { DestinationRow } from './destination.sql.ts'

/**
 * How a destination is called. With TLS our own certificate is shown, where the peer asks for one, and the peer's must
 * be the one kept with the destination or be signed by it; the name inside then need not be the address.
 */
export async function peerOf({ config }: Pick<Services, 'config'>, destination: DestinationRow): Promise<Peer> {
  const { address, port, aetitle, node_aetitle, uses_tls, tls_certificate } = destination
  const peer = { host: address, port, calledTitle: aetitle, callingTitle: node_aetitle }
  if (!uses_tls) return peer
  const pinned = tls_certificate ? { ca: tls_certificate, checkServerIdentity: () => undefined } : {}
  return { ...peer, tls: { ...(await findCertificate(config)), ...pinned } }
}
