import { type Cut, applyCuts, cutOut, everyElement } from '../cuts.ts'
import { cutsInItems, withLength } from '../cuts-inside.ts'
import type { DataSet } from '../data-set.ts'
import { findVr } from '../dictionary.ts'
import type { DicomElement } from '../elements.ts'
import { isPrivateTag, Tag } from '../tags.ts'
import { decodeText } from '../text.ts'
import { holdsItems, valueBytes } from '../values.ts'
import { encodeRaw } from '../write-part10.ts'

/** Texts that follow Specific Character Set. Source: PS3.5 §6.1.2.3. */
const textVrs: ReadonlySet<string> = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT'])

/**
 * Cuts that bring every text of a data set from its own character set to UTF-8, in sequences and private elements too.
 * Items lose the character set of their own, and take the data set's. Naming UTF-8 at the top is left to the caller.
 * @param except elements of the top level that are written anew in any case
 * @param leftOut elements that are taken away inside sequences
 * @throws DicomReadError when a sequence cannot be read to its end; RangeError when a text becomes too long for its VR
 */
export function cutsToUnicode(
  dataSet: DataSet,
  except: ReadonlySet<number>,
  leftOut: ReadonlySet<number> = nothing,
): Cut[] {
  return everyElement(dataSet).flatMap((element) =>
    except.has(element.tag) ? [] : cutsInElement(dataSet, element, leftOut),
  )
}

/** The value of an element with every text in it in UTF-8. */
export function valueInUnicode(dataSet: DataSet, element: DicomElement): Uint8Array {
  if (!holdsItems(dataSet, element)) return textInUnicode(dataSet, element)?.value ?? valueBytes(dataSet, element)
  const { valueStart, length } = element
  return applyCuts(dataSet.source.bytes, valueStart, valueStart + length, cutsInside(dataSet, element))
}

/** The text of an element in UTF-8, and its VR; undefined where it is no text, or the same in every character set. */
export function textInUnicode(dataSet: DataSet, element: DicomElement): { vr: string; value: Uint8Array } | undefined {
  const vr = textVrOf(element)
  const bytes = valueBytes(dataSet, element)
  const isForeign = textVrs.has(vr) && bytes.some((byte) => byte >= 0x80 || byte === 0x1b)
  if (!isForeign) return undefined
  // padding is made anew
  const text = decodeText(bytes, dataSet.charset, vr === 'PN').replace(/[\0 ]+$/, '')
  return { vr: element.vr ?? vr, value: new TextEncoder().encode(text) }
}

function textVrOf({ tag, vr }: DicomElement): string {
  if (vr !== undefined && vr !== 'UN') return vr
  const number = tag & 0xffff
  // a private creator is LO, whatever stands in front of it (PS3.5 §7.8.1)
  return isPrivateTag(tag) && number >= 0x10 && number <= 0xff ? 'LO' : findVr(tag)
}

function cutsInElement(dataSet: DataSet, element: DicomElement, leftOut: ReadonlySet<number> = nothing): Cut[] {
  const { tag, start, end } = element
  if (holdsItems(dataSet, element)) return withLength(dataSet, element, cutsInside(dataSet, element, leftOut))
  const text = textInUnicode(dataSet, element)
  return text ? [{ tag, start, end, bytes: encodeRaw(tag, text.vr, text.value, dataSet.encoding) }] : []
}

function cutsInside(dataSet: DataSet, element: DicomElement, leftOut: ReadonlySet<number> = nothing): Cut[] {
  return cutsInItems(dataSet, element, (item) =>
    everyElement(item).flatMap((one) =>
      isLeftOut(one.tag) || leftOut.has(one.tag) ? [cutOut(one)] : cutsInElement(item, one, leftOut),
    ),
  )
}

const nothing: ReadonlySet<number> = new Set()

/** Lengths of groups would be wrong. */
function isLeftOut(tag: number): boolean {
  return tag === Tag.SpecificCharacterSet || (tag & 0xffff) === 0
}
