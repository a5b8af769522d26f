import type { StudySource } from './dicomweb.ts'
import { readPart } from './read-part.ts'

export type BulkData = { inline: string } | { address: string }

/** A binary value of the DICOM JSON model: in it, or at an address. Source: PS3.18 F.2.2. */
export function bulkDataOf(value: unknown): BulkData | undefined {
  const stored = value as { InlineBinary?: unknown; BulkDataURI?: unknown } | undefined // each is looked at below
  if (typeof stored?.InlineBinary === 'string') return { inline: stored.InlineBinary }
  return typeof stored?.BulkDataURI === 'string' ? { address: stored.BulkDataURI } : undefined
}

/** @throws RequestError */
export async function readBulkData(data: BulkData, source: StudySource): Promise<Uint8Array> {
  if ('inline' in data) return Uint8Array.from(atob(data.inline), (letter) => letter.charCodeAt(0))
  // only the path: behind a proxy the server may call itself otherwise
  const { pathname } = new URL(data.address, location.origin)
  const response = await source.fetchBytes(pathname, 'multipart/related; type="application/octet-stream"')
  return readPart(new Uint8Array(await response.arrayBuffer()))
}
