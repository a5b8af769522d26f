import type { WriteElement } from '@hilum/dicom/write-part10'

/** A code as reports write one. Source: PS3.3 Table 8.8-1. */
export type Code = readonly [value: string, scheme: string, meaning: string]
/** An item of a sequence, such as a content item of a report. */
export type Item = WriteElement[]

export function container(name: Code, content: Item[]): Item {
  return [
    { tag: 0x0040a040, vr: 'CS', value: 'CONTAINER' },
    conceptName(name),
    { tag: 0x0040a050, vr: 'CS', value: 'SEPARATE' },
    { tag: 0x0040a730, vr: 'SQ', value: content },
  ]
}

export function ofCode(relation: string, name: Code, value: Code): Item {
  return [
    ...related(relation),
    { tag: 0x0040a040, vr: 'CS', value: 'CODE' },
    conceptName(name),
    { tag: 0x0040a168, vr: 'SQ', value: [codeItem(value)] },
  ]
}

export function ofText(relation: string, kind: 'TEXT' | 'UIDREF', name: Code, value: string): Item {
  return [
    ...related(relation),
    { tag: 0x0040a040, vr: 'CS', value: kind },
    conceptName(name),
    kind === 'TEXT' ? { tag: 0x0040a160, vr: 'UT', value } : { tag: 0x0040a124, vr: 'UI', value },
  ]
}

export function related(relation: string): Item {
  return [{ tag: 0x0040a010, vr: 'CS', value: relation }]
}

export function conceptName(name: Code): WriteElement {
  return { tag: 0x0040a043, vr: 'SQ', value: [codeItem(name)] }
}

export function codeItem([value, scheme, meaning]: Code): Item {
  return [
    { tag: 0x00080100, vr: 'SH', value },
    { tag: 0x00080102, vr: 'SH', value: scheme },
    { tag: 0x00080104, vr: 'LO', value: meaning },
  ]
}
