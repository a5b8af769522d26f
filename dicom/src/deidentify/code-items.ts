import type { DataSet } from '../data-set.ts'
import { Tag } from '../tags.ts'
import { findText } from '../values.ts'
import type { WriteElement } from '../write-part10.ts'

const codeValues = [Tag.CodeValue, 0x00080119, 0x00080120] as const
const units = new Set(
  "1 % mm mm2 mm3 cm cm2 cm3 m um nm s ms us min h d deg rad Hz kHz MHz bpm /min g kg mg ug L mL l ml K Cel keV MeV kV mA mAs Gy mGy cGy Sv mSv Bq kBq MBq Bq/ml Bq/mL g/ml g/mL g/ml{SUVbw} {SUVbw}g/ml [hnsf'U] {ratio} {counts} {propcounts} {pixels} mm/s cm/s m/s mm[Hg] mmHg T mT 1/mm /cm /mm mm2/s um2/s 10*-6.mm2/s no_units".split(
    ' ',
  ),
)

/** Forms of the codes of public schemes: what does not look like one is a code, or a text, of somebody's own. */
const schemes: Readonly<Record<string, RegExp | undefined>> = {
  DCM: /^\d{5,6}$/,
  SCT: /^\d{6,18}$/,
  SRT: /^[A-Z]{1,2}\d?-[0-9A-F]{4,5}$/,
  SNM3: /^[A-Z]{1,2}\d?-[0-9A-F]{4,5}$/,
  '99SDM': /^[A-Z]{1,2}\d?-[0-9A-F]{4,5}$/,
  LN: /^\d{1,6}-\d$/,
  RADLEX: /^RID\d{1,6}$/,
  FMA: /^\d{1,6}$/,
  NCIt: /^C\d{1,6}$/,
}

/** Whether an item is a coded concept (PS3.3 §8): a code, its scheme and its meaning. */
export function isCodeItem({ elements }: DataSet): boolean {
  return codeValues.some((tag) => elements.has(tag)) || elements.has(Tag.CodingSchemeDesignator)
}

/**
 * A coded concept of a public scheme, its code in the place of its words, which anybody may have typed; undefined for
 * every other.
 */
export function publicCode(item: DataSet): WriteElement[] | undefined {
  const code = findText(item, Tag.CodeValue) ?? ''
  const scheme = findText(item, Tag.CodingSchemeDesignator) ?? ''
  const isPublic = scheme === 'UCUM' ? units.has(code) : Object.hasOwn(schemes, scheme) && schemes[scheme]?.test(code)
  if (!isPublic) return undefined
  return [
    { tag: Tag.CodeValue, vr: 'SH', value: code },
    { tag: Tag.CodingSchemeDesignator, vr: 'SH', value: scheme },
    { tag: Tag.CodeMeaning, vr: 'LO', value: code },
  ]
}
