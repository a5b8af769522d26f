import type { DataSet, Element } from 'dicom-parser'

type Json = Record<string, { vr: string; Value?: unknown[]; InlineBinary?: string }>

/** Value representations for files that do not say them: only what a viewer reads. Source: PS3.6. */
const IMPLICIT: Record<string, string> = Object.fromEntries(
  Object.entries({
    US: '00280002 00280006 00280010 00280011 00280100 00280101 00280102 00280103',
    DS: '30060050 00181164 00180050 00181063 00200032 00200037 00280030 00281050 00281051 00281052 00281053 00101030 00201041',
    IS: '3006002A 30060022 30060084 00200011 00200013 00280008 00180040 00082144',
    UI: '30060024 00080016 00080018 00081155 0020000D 0020000E 00200052',
    PN: '00100010 00080090',
    DA: '00080020 00080021 00100030',
    TM: '00080030 00080031',
    CS: '00080005 00080008 00080060 00100040 00280004 00281056 00185100 30060042',
    LO: '30060026 00080104 00081030 0008103E 00100020 00281055 00620005',
    SH: '00080050 00200010',
  }).flatMap(([vr, tags]) => tags.split(' ').map((tag) => [tag, vr])),
)

const NUMBERS: Record<string, { size: number; read: (view: DataView, at: number, isLittle: boolean) => number }> = {
  US: { size: 2, read: (view, at, isLittle) => view.getUint16(at, isLittle) },
  SS: { size: 2, read: (view, at, isLittle) => view.getInt16(at, isLittle) },
  UL: { size: 4, read: (view, at, isLittle) => view.getUint32(at, isLittle) },
  SL: { size: 4, read: (view, at, isLittle) => view.getInt32(at, isLittle) },
  FL: { size: 4, read: (view, at, isLittle) => view.getFloat32(at, isLittle) },
  FD: { size: 8, read: (view, at, isLittle) => view.getFloat64(at, isLittle) },
}
const TEXT = /^(AE|AS|CS|DA|DT|LO|LT|SH|ST|TM|UC|UI|UR|UT|PN|DS|IS)$/

/** A data set as DICOM JSON, pixels left out. Latin-1 only: a test peer, not a server. */
export function toDicomJson(dataSet: DataSet, isLittle = true): Json {
  const json: Json = {}
  for (const [name, found] of Object.entries(dataSet.elements)) {
    const tag = name.slice(1).toUpperCase()
    if (tag === '7FE00010' || tag.startsWith('0002') || tag.endsWith('0000')) continue
    const vr = found.items ? 'SQ' : (found.vr ?? IMPLICIT[tag] ?? 'UN')
    if (vr === 'SQ') {
      json[tag] = {
        vr,
        Value: (found.items ?? []).flatMap((item) => (item.dataSet ? [toDicomJson(item.dataSet, isLittle)] : [])),
      }
    } else if (NUMBERS[vr]) json[tag] = { vr, Value: readNumbers(dataSet, found, NUMBERS[vr], isLittle) }
    else if (TEXT.test(vr)) json[tag] = readTexts(dataSet, found, vr)
    else if (/^O|^UN$/.test(vr) && found.length > 0 && found.length < 1_000_000) {
      json[tag] = { vr, InlineBinary: Buffer.from(bytesOf(dataSet, found)).toString('base64') }
    }
  }
  return json
}

function bytesOf(dataSet: DataSet, found: Element): Uint8Array {
  return dataSet.byteArray.subarray(found.dataOffset, found.dataOffset + found.length)
}

function readNumbers(
  dataSet: DataSet,
  found: Element,
  kind: { size: number; read: (view: DataView, at: number, isLittle: boolean) => number },
  isLittle: boolean,
): number[] {
  const bytes = bytesOf(dataSet, found)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: Math.trunc(bytes.length / kind.size) }, (_, at) =>
    kind.read(view, at * kind.size, isLittle),
  )
}

function readTexts(dataSet: DataSet, found: Element, vr: string): { vr: string; Value?: unknown[] } {
  const text = Buffer.from(bytesOf(dataSet, found))
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
  if (text === '') return { vr }
  return {
    vr,
    Value: text.split('\\').map((part) => {
      const value = part.trim()
      if (vr === 'DS' || vr === 'IS') return Number(value)
      return vr === 'PN' ? { Alphabetic: value } : value
    }),
  }
}
