import { createHash } from 'node:crypto'

/** A UUID that the same text gives again, and nobody can turn back (RFC 9562 §5.8, version 8). */
function uuidOfText(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * The id of an attachment as its content gives it. With the place in it: what is attached elsewhere has another id, and
 * nobody learns from an id what others have.
 */
export function staticAttachmentId(
  { phi_namespace, study_uid }: { phi_namespace: string; study_uid: string },
  content: string,
): string {
  return uuidOfText(`${phi_namespace}/${study_uid}/${content}`)
}
