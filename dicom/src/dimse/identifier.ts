import type { Context, Message } from './association.ts'
import { DimseError } from './dimse-error.ts'
import { type DataSet, walkDataSet } from '../data-set.ts'
import { sourceOf } from '../elements.ts'
import { encodeText, isAscii, UNICODE_CHARSET } from '../encode-text.ts'
import { DicomReadError } from '../read-error.ts'
import { Tag } from '../tags.ts'
import { transferSyntaxOf } from '../transfer-syntaxes.ts'
import { encodeElements, type WriteElement, type WriteValue } from '../write-part10.ts'

/** An identifier is a few hundred bytes; a peer that sends more than this sends something else. */
const MAX_IDENTIFIER_BYTES = 1024 * 1024

/**
 * The data set of a query or of one answer (PS3.4 C.1.1). Western letters go as ISO 8859-1, which most archives match by;
 * all others as UTF-8. Texts of a key that is empty ask for the value.
 */
export async function* identifierOf(keys: readonly WriteElement[], context: Context): AsyncGenerator<Uint8Array> {
  const encoding = transferSyntaxOf(context.transferSyntax)
  const text = textsOf(keys)
  if (isAscii(text)) {
    yield encodeElements(keys, encoding)
    return
  }
  const charset = encodeText(text, 'ISO_IR 100') ? 'ISO_IR 100' : UNICODE_CHARSET
  const named = { tag: Tag.SpecificCharacterSet, vr: 'CS', value: charset }
  yield encodeElements([named, ...encoded(keys, charset)], encoding)
}

function textsOf(keys: readonly WriteElement[]): string {
  return keys
    .map(({ value }) => (typeof value === 'string' ? value : isItems(value) ? value.map(textsOf).join('') : ''))
    .join('')
}

function encoded(keys: readonly WriteElement[], charset: string): WriteElement[] {
  return keys.map(({ tag, vr, value }) => {
    if (typeof value === 'string') return { tag, vr, value: encodeText(value, charset, vr === 'PN') ?? value }
    return { tag, vr, value: isItems(value) ? value.map((item) => encoded(item, charset)) : value }
  })
}

function isItems(value: WriteValue): value is readonly WriteElement[][] {
  return Array.isArray(value) && Array.isArray(value[0])
}

/** The data set of a query or an answer; undefined where none comes or none can be read. @throws DimseError when it is far too long */
export async function readIdentifier(
  { data, context }: Message,
  maxBytes = MAX_IDENTIFIER_BYTES,
): Promise<DataSet | undefined> {
  if (!data) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of data) {
    length += chunk.length
    if (length > maxBytes) throw new DimseError('protocol', 'A query or an answer to one is too long')
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(Buffer.concat(chunks))
  const encoding = transferSyntaxOf(context.transferSyntax)
  try {
    return walkDataSet(sourceOf(bytes, encoding), encoding, { start: 0, limit: bytes.length })
  } catch (error) {
    if (error instanceof DicomReadError) return undefined
    throw error
  }
}
