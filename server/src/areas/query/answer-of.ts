import type { DicomJson, JsonAttribute, JsonPersonName } from '@hilum/dicom/json'
import { findVr } from '@hilum/dicom/dictionary'
import { Tag } from '@hilum/dicom/tags'
import type { WriteElement } from '@hilum/dicom/write-part10'
import type { FindQuery } from './read-query.ts'

/** Unique keys: every answer has those of its level (PS3.4 C.4.1.1.3.2). */
const uniqueKeys = {
  PATIENT: ['00100020'],
  STUDY: ['0020000D'],
  SERIES: ['0020000D', '0020000E'],
  IMAGE: ['0020000D', '0020000E', '00080018'],
} as const

/**
 * The identifier of one answer: what was asked for, empty where there is nothing to tell, with the level and where the
 * match can be retrieved.
 */
export function answerOf(
  match: DicomJson,
  { level, asked }: Pick<FindQuery, 'level' | 'asked'>,
  ownTitle: string,
): WriteElement[] {
  const names = new Set([...asked, ...uniqueKeys[level]])
  const availability = match['00080056']?.Value?.[0]
  return [
    { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: level },
    { tag: Tag.RetrieveAETitle, vr: 'AE', value: ownTitle },
    ...(typeof availability === 'string' ? [{ tag: 0x00080056, vr: 'CS', value: availability }] : []),
    ...[...names].map((name) => elementOf(name, match[name])),
  ]
}

/** An attribute as it is written; empty where there is nothing to tell. */
export function elementOf(name: string, attribute: JsonAttribute | undefined): WriteElement {
  const tag = Number.parseInt(name, 16)
  const vr = attribute?.vr ?? findVr(tag)
  const values = attribute?.Value ?? []
  if (vr === 'SQ') return { tag, vr, value: values.map((item) => elementsOf(item as DicomJson)) }
  if (vr === 'PN') return { tag, vr, value: values.map((one) => nameOf(one as JsonPersonName | null)).join('\\') }
  const isBinary = binary.has(vr) && values.length > 0
  if (isBinary) return { tag, vr, value: values.map(Number) }
  return { tag, vr, value: values.map((one) => String(one ?? '')).join('\\') }
}

const binary = new Set(['US', 'SS', 'UL', 'SL', 'FL', 'FD'])

function elementsOf(item: DicomJson): WriteElement[] {
  return Object.entries(item).map(([name, attribute]) => elementOf(name, attribute))
}

function nameOf(groups: JsonPersonName | null): string {
  const { Alphabetic = '', Ideographic = '', Phonetic = '' } = groups ?? {}
  return [Alphabetic, Ideographic, Phonetic].join('=').replace(/=+$/, '')
}

/** UIDs of what was not sent, as far as one element holds them. */
export function failedList(sopUids: readonly string[]): WriteElement[] {
  return [{ tag: 0x00080058, vr: 'UI', value: sopUids.slice(0, 900).join('\\') }]
}
