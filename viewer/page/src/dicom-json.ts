/** The DICOM JSON model as far as the page reads it. Source: PS3.18 Annex F. */
export type DicomObject = Record<string, { vr: string; Value?: unknown[] } | undefined>

export function jsonTextOf(object: DicomObject, tag: string): string {
  const value = object[tag]?.Value?.[0]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

export function textsOf(object: DicomObject, tag: string): string[] {
  return (object[tag]?.Value ?? []).filter((value) => typeof value === 'string')
}

export function numberOf(object: DicomObject, tag: string): number | undefined {
  return numbersOf(object, tag)[0]
}

export function numbersOf(object: DicomObject, tag: string): number[] {
  return (object[tag]?.Value ?? []).map(Number).filter(Number.isFinite)
}

/** The alphabetic group of a person's name, else whichever group there is, as DICOM writes it: FAMILY^GIVEN^… */
export function personNameOf(object: DicomObject, tag: string): string {
  const value = object[tag]?.Value?.[0]
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  const groups = value as Record<string, unknown>
  const found = [groups['Alphabetic'], groups['Ideographic'], groups['Phonetic']].find(
    (group) => typeof group === 'string' && group !== '',
  )
  return typeof found === 'string' ? found : ''
}

/** The items of a sequence. Source: PS3.18 F.2.3. */
export function itemsOf(object: DicomObject | undefined, tag: string): DicomObject[] {
  return (object?.[tag]?.Value ?? []).filter((item): item is DicomObject => typeof item === 'object' && item !== null)
}
