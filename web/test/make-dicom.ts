interface MadeInstance {
  studyUid?: string
  seriesUid?: string
  sopUid?: string
  patientName?: string
  patientId?: string
  birthDate?: string
  sex?: string
  studyDate?: string
  modality?: string
  /** Bytes of a private element before the UIDs: more than 64 KB makes a reader come back for more. */
  paddingBytes?: number
  pixelBytes?: number
}

/** A small DICOM file in explicit little endian, complete enough to be read and stored. */
export function makeDicom(made: MadeInstance = {}): Uint8Array<ArrayBuffer> {
  const { studyUid = '1.2.3', seriesUid = '1.2.3.1', sopUid = '1.2.3.1.1', paddingBytes = 0, pixelBytes = 64 } = made
  const ctImage = '1.2.840.10008.5.1.4.1.1.2'
  const meta = [
    element(0x0002, 0x0002, 'UI', ctImage),
    element(0x0002, 0x0003, 'UI', sopUid),
    element(0x0002, 0x0010, 'UI', '1.2.840.10008.1.2.1'),
  ]
  const metaLength = meta.reduce((sum, one) => sum + one.length, 0)
  return join([
    new Uint8Array(128),
    new TextEncoder().encode('DICM'),
    element(0x0002, 0x0000, 'UL', new Uint8Array(new Uint32Array([metaLength]).buffer)),
    ...meta,
    element(0x0008, 0x0005, 'CS', 'ISO_IR 192'),
    element(0x0008, 0x0016, 'UI', ctImage),
    element(0x0008, 0x0018, 'UI', sopUid),
    element(0x0008, 0x0020, 'DA', made.studyDate ?? '20240131'),
    element(0x0008, 0x0060, 'CS', made.modality ?? 'CT'),
    element(0x0009, 0x0010, 'LO', 'HILUM TEST'),
    element(0x0009, 0x1001, 'OB', new Uint8Array(paddingBytes)),
    element(0x0010, 0x0010, 'PN', made.patientName ?? 'DOE^JANE'),
    element(0x0010, 0x0020, 'LO', made.patientId ?? 'M1'),
    element(0x0010, 0x0030, 'DA', made.birthDate ?? '19800521'),
    element(0x0010, 0x0040, 'CS', made.sex ?? 'F'),
    element(0x0020, 0x000d, 'UI', studyUid),
    element(0x0020, 0x000e, 'UI', seriesUid),
    element(0x7fe0, 0x0010, 'OW', new Uint8Array(pixelBytes)),
  ])
}

function element(group: number, number: number, vr: string, value: string | Uint8Array): Uint8Array {
  const raw = typeof value === 'string' ? new TextEncoder().encode(value) : value
  const pad = raw.length % 2
  const isLong = vr === 'OB' || vr === 'OW'
  const bytes = new Uint8Array((isLong ? 12 : 8) + raw.length + pad)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, group, true)
  view.setUint16(2, number, true)
  bytes.set(new TextEncoder().encode(vr), 4)
  if (isLong) view.setUint32(8, raw.length + pad, true)
  else view.setUint16(6, raw.length + pad, true)
  bytes.set(raw, isLong ? 12 : 8)
  if (pad && !['OB', 'OW', 'UI'].includes(vr)) bytes[bytes.length - 1] = 0x20
  return bytes
}

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
