import { encodingFor, encodings, syntaxOfEncoding } from '@hilum/dicom/render/encodings'
import { ExplicitLittleEndian, transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import type { OutgoingForm } from '../../areas/dicomweb/outgoing-file.command.ts'
import { mediaTypeOf, syntaxOfFrames } from '../../areas/pictures/media-types.ts'
import type { FrameBytesForm } from '../../areas/dicomweb/read-frames.command.ts'
import { covers, type MediaRange } from './accept.ts'

const octets = 'application/octet-stream'

/** The media type of the parts that a range wants; a bare media type means one answer without parts. */
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
export function chooseInstanceForm(ranges: readonly MediaRange[], stored: string): OutgoingForm | undefined {
  for (const range of ranges) {
    if (!covers(partTypeOf(range), 'application/dicom')) continue
    const { transferSyntax } = range
    if (transferSyntax === '*' || transferSyntax === stored) return 'stored'
    if (transferSyntax === ExplicitLittleEndian) return 'explicit'
    const encoding = transferSyntaxOf(stored).isLossy ? undefined : encodingFor(transferSyntax)
    if (encoding) return encoding
    if (transferSyntax === undefined) return transferSyntaxOf(stored).isLossy ? 'stored' : 'preferExplicit'
  }
  return undefined
}

export interface FrameForm {
  form: FrameBytesForm
  mediaType: string
  transferSyntax: string
  range: MediaRange
}

/**
 * How frames leave: compressed as stored, under their own media type or as bytes with the syntax named, decoded, or
 * compressed without losses.
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
    const encoded = transferSyntaxOf(stored).isLossy ? undefined : encodedForm(range)
    if (encoded) return encoded
  }
  return undefined
}

/** Frames that are compressed for this range: it names one of our syntaxes, or the media type that means one. */
function encodedForm(range: MediaRange): FrameForm | undefined {
  const wanted = partTypeOf(range)
  const { transferSyntax } = range
  for (const form of encodings) {
    const syntax = syntaxOfEncoding[form]
    const mediaType = mediaTypeOf(syntax) ?? octets
    const isOpen = transferSyntax === undefined || transferSyntax === '*'
    if (
      wanted === mediaType
        ? isOpen || transferSyntax === syntax
        : transferSyntax === syntax && covers(wanted, mediaType)
    )
      return { form, mediaType, transferSyntax: syntax, range }
    if (transferSyntax === syntax && covers(wanted, octets))
      return { form, mediaType: octets, transferSyntax: syntax, range }
  }
  return undefined
}

/** The forms that there are, for the words of a refusal. */
export function describeForms(stored: string): string {
  const own = mediaTypeOf(stored)
  const made = transferSyntaxOf(stored).isLossy
    ? []
    : encodings.map((form) => mediaTypeOf(syntaxOfEncoding[form]) ?? '')
  const types = [...new Set([...(own ? [own] : []), ...made])]
  return [`${octets}; transfer-syntax=${ExplicitLittleEndian}`, `${octets}; transfer-syntax=*`, ...types].join(', ')
}
