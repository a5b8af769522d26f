import { ExplicitLittleEndian, transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import type { LeavingForm } from '../../areas/dicomweb/leaving.command.ts'
import { mediaTypeOf, syntaxOfFrames } from '../../areas/dicomweb/media-types.ts'
import { covers, type MediaRange } from './accept.ts'

const octets = 'application/octet-stream'

/** What a range says of the parts that it wants; a bare media type means one answer without parts. */
function partTypeOf(range: MediaRange): string {
  return isMultipart(range) ? range.type || '*/*' : range.media
}

/** Whether a range takes an answer in parts. */
export function isMultipart({ media }: MediaRange): boolean {
  return media === 'multipart/related' || media === 'multipart/*'
}

/**
 * How an instance leaves for this client: the first of its ranges that can be met decides. Without a transfer syntax
 * the standard's default holds, Explicit VR Little Endian; what is stored with losses or cannot be decoded leaves as
 * it is (PS3.18 §8.7.3.3.2).
 */
export function chooseInstanceForm(ranges: readonly MediaRange[], stored: string): LeavingForm | undefined {
  for (const range of ranges) {
    if (!covers(partTypeOf(range), 'application/dicom')) continue
    const { transferSyntax } = range
    if (transferSyntax === '*' || transferSyntax === stored) return 'stored'
    if (transferSyntax === ExplicitLittleEndian) return 'explicit'
    if (transferSyntax === undefined) return transferSyntaxOf(stored).isLossy ? 'stored' : 'preferExplicit'
  }
  return undefined
}

export interface FrameForm {
  form: 'stored' | 'decoded'
  mediaType: string
  transferSyntax: string
  range: MediaRange
}

/**
 * How frames leave: compressed as stored, under their own media type or as bytes with the syntax named, or decoded.
 * Source: PS3.18 §8.7.3.3, Table 8.7.3-5.
 */
export function chooseFrameForm(ranges: readonly MediaRange[], stored: string): FrameForm | undefined {
  const own = mediaTypeOf(stored)
  const natural = own === undefined ? ExplicitLittleEndian : syntaxOfFrames(stored)
  for (const range of ranges) {
    const wanted = partTypeOf(range)
    const { transferSyntax } = range
    const takesBytes = covers(wanted, octets)
    if (transferSyntax === '*' || transferSyntax === stored) {
      if (takesBytes) return { form: 'stored', mediaType: octets, transferSyntax: natural, range }
      if (own && covers(wanted, own)) return { form: 'stored', mediaType: own, transferSyntax: stored, range }
    }
    if (own && !takesBytes && transferSyntax === undefined && covers(wanted, own))
      return { form: 'stored', mediaType: own, transferSyntax: stored, range }
    if (takesBytes && (transferSyntax === undefined || transferSyntax === ExplicitLittleEndian))
      return { form: 'decoded', mediaType: octets, transferSyntax: ExplicitLittleEndian, range }
  }
  return undefined
}

/** What there is, for the words of a refusal. */
export function describeForms(stored: string): string {
  const own = mediaTypeOf(stored)
  const forms = [`${octets}; transfer-syntax=${ExplicitLittleEndian}`, `${octets}; transfer-syntax=*`]
  return (own ? [...forms, own] : forms).join(', ')
}
