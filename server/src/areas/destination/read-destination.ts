import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { destinationSet } from '@hilum/contract/calls/destination'
import type { InputOf } from '@hilum/contract/call'
import { ApiError } from '@hilum/contract/errors'
import { maxDestinationAssociations } from '@hilum/contract/limits'
import { isAeTitle } from '@hilum/dicom/dimse/ae-title'
import type { DestinationRow } from './destination.sql.ts'

const maxNameLength = 200
const maxCertificateLength = 100_000
const hostForm = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i

type SentDestination = Omit<InputOf<typeof destinationSet>, 'uuid' | 'node_id' | 'group_ids' | 'seen'>

/**
 * A destination with the sent values put over it; the node and the groups are looked up elsewhere. Another place, title or
 * certificate makes the last test meaningless.
 * @throws ApiError INVALID_VALUE naming the field
 */
export function readDestination(before: DestinationRow, sent: SentDestination): DestinationRow {
  const refuse = (field: string) => new ApiError('INVALID_VALUE', { subtype: field })
  const isOn = (value: 0 | 1 | undefined, current: boolean) => (value === undefined ? current : value === 1)
  const after: DestinationRow = {
    ...before,
    name: (sent.name ?? before.name).trim(),
    type: sent.type ?? before.type,
    aetitle: (sent.aetitle ?? before.aetitle).trim(),
    address: (sent.address ?? before.address).trim(),
    port: sent.port ?? before.port,
    uses_tls: isOn(sent.uses_tls, before.uses_tls),
    tls_certificate: sent.tls_certificate === undefined ? before.tls_certificate : sent.tls_certificate.trim() || null,
    can_search: isOn(sent.can_search, before.can_search),
    can_search_mwl: isOn(sent.can_search_mwl, before.can_search_mwl),
    can_query_retrieve: isOn(sent.can_query_retrieve, before.can_query_retrieve),
    can_push: isOn(sent.can_push, before.can_push),
    push_unchecked: isOn(sent.push_unchecked, before.push_unchecked),
    push_foreign: isOn(sent.push_foreign, before.push_foreign),
    can_commit: isOn(sent.can_commit, before.can_commit),
    retrieve_method: sent.retrieve_method ?? before.retrieve_method,
    max_associations: sent.max_associations ?? before.max_associations,
    sort_order: sent.sort_order ?? before.sort_order,
  }
  if (after.name === '' || after.name.length > maxNameLength) throw refuse('name')
  if (!isAeTitle(after.aetitle)) throw refuse('aetitle')
  if (isIP(after.address) === 0 && !hostForm.test(after.address)) throw refuse('address')
  if (after.port < 1 || after.port > 65_535) throw refuse('port')
  if (after.max_associations < 1 || after.max_associations > maxDestinationAssociations)
    throw refuse('max_associations')
  if (after.sort_order !== null && Math.abs(after.sort_order) > 1_000_000) throw refuse('sort_order')
  if (after.tls_certificate !== null && !isCertificate(after.tls_certificate)) throw refuse('tls_certificate')
  const place = (one: DestinationRow) =>
    JSON.stringify([one.aetitle, one.address, one.port, one.uses_tls, one.tls_certificate])
  return place(before) === place(after) ? after : { ...after, health: null, echo: null }
}

/** PEM of one certificate and nothing that should stay secret. */
function isCertificate(pem: string): boolean {
  if (pem.length > maxCertificateLength || pem.includes('PRIVATE KEY')) return false
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false // not readable as a certificate, which is the answer
  }
}
