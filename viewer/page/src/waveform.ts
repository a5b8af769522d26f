import { type BulkData, bulkDataOf } from './bulk-data.ts'
import { type DicomObject, itemsOf, numberOf, jsonTextOf } from './dicom-json.ts'

/** Curves recorded together, such as the leads of an ECG. Source: PS3.3 C.10.9. */
export type WaveformGroup = { label: string; hz: number; seconds: number; channels: Channel[] }
export type Channel = {
  name: string
  /** Of the values: mV where the file counts in microvolts or millivolts, else as written. */
  unit: string
  values: Float32Array
  low: number
  high: number
}

/** Electrocardiograms and curves like them; not sound. Source: PS3.4 B.5. */
const CURVES = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.9\.[123567]\./

export function isWaveform(instance: DicomObject): boolean {
  return CURVES.test(jsonTextOf(instance, '00080016')) && itemsOf(instance, '54000100').length > 0
}

/** More is not drawn: a recording of a day would take the browser's memory. */
const MOST_SAMPLES = 4_000_000

/** @param read gives the bytes of a value, the low byte first */
export async function readWaveforms(
  instance: DicomObject,
  read: (data: BulkData) => Promise<Uint8Array>,
): Promise<WaveformGroup[]> {
  const groups: WaveformGroup[] = []
  for (const item of itemsOf(instance, '54000100')) {
    const data = bulkDataOf(item['54001010'])
    const hz = numberOf(item, '003A001A') ?? 0
    const count = numberOf(item, '003A0005') ?? 0
    if (!data || !(hz > 0) || !(count > 0)) continue
    const samples = readSamples(await read(data), numberOf(item, '54001004') ?? 16, jsonTextOf(item, '54001006'))
    const length = Math.min(Math.trunc(samples.length / count), Math.trunc(MOST_SAMPLES / count))
    if (length === 0) continue
    const definitions = itemsOf(item, '003A0200')
    const channels = Array.from({ length: count }, (_, at) =>
      readChannel(
        definitions[at] ?? {},
        at,
        Float32Array.from({ length }, (_value, along) => samples[along * count + at] ?? 0),
      ),
    )
    groups.push({ label: jsonTextOf(item, '003A0020'), hz, seconds: length / hz, channels })
  }
  return groups
}

function readSamples(bytes: Uint8Array, bits: number, interpretation: string): ArrayLike<number> {
  const { buffer } = bytes.slice() // aligned
  const isSigned = interpretation.startsWith('S')
  if (bits === 8) return isSigned ? new Int8Array(buffer) : new Uint8Array(buffer)
  if (bits !== 16) return []
  const length = Math.trunc(bytes.byteLength / 2)
  return isSigned ? new Int16Array(buffer, 0, length) : new Uint16Array(buffer, 0, length)
}

/** Of volts in one millivolt. */
const MILLIVOLTS: Record<string, number> = { uV: 0.001, mV: 1, V: 1000 }

function readChannel(definition: DicomObject, at: number, raw: Float32Array): Channel {
  const unit = jsonTextOf(itemsOf(definition, '003A0211')[0] ?? {}, '00080100')
  const factor = MILLIVOLTS[unit] ?? 1
  const sensitivity = (numberOf(definition, '003A0210') ?? 1) * (numberOf(definition, '003A0212') ?? 1) * factor
  const baseline = (numberOf(definition, '003A0213') ?? 0) * factor
  const values = raw.map((value) => value * sensitivity + baseline)
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return { name: nameOf(definition) || String(at + 1), unit: unit in MILLIVOLTS ? 'mV' : unit, values, low, high }
}

/** "Lead I (Einthoven)" is I to everybody. */
function nameOf(definition: DicomObject): string {
  const given = jsonTextOf(definition, '003A0203') || jsonTextOf(itemsOf(definition, '003A0208')[0] ?? {}, '00080104')
  return given.replace(/^lead\s+/i, '').replace(/\s*\(.*\)$/, '')
}
