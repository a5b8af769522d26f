import { describe, expect, it } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { type GreyCurve, readGreyCurve } from './grey-curve.ts'
import { readPresentationStates } from './presentation-state.ts'

const object = (values: Record<string, unknown>): DicomObject =>
  Object.fromEntries(
    Object.entries(values).map(([tag, value]) => [
      tag,
      { vr: 'LO', ...(isBytes(value) ? value : { Value: Array.isArray(value) ? value : [value] }) },
    ]),
  )
const isBytes = (value: unknown): value is { InlineBinary: string } =>
  typeof value === 'object' && value !== null && 'InlineBinary' in value
const wordsOf = (entries: readonly number[]) => ({
  InlineBinary: btoa(String.fromCharCode(...new Uint8Array(Uint16Array.from(entries).buffer))),
})
const table = (first: number, bits: number, entries: readonly number[], data: unknown = entries) =>
  object({ '00283002': [entries.length, first, bits], '00283006': data })
const nowhere = {} as StudySource // nothing here is at an address

/** An image with a rescale of 2 and -1000. */
const imageWith = (more: Record<string, unknown>) => ({
  instance: object({ '00280103': 0, '00281053': 2, '00281052': -1000, ...more }),
  sopUid: 'i.1',
  frame: 1,
  framesPerSecond: 10,
})
const stateWith = (more: Record<string, unknown>) =>
  readPresentationStates([
    object({
      '00080016': '1.2.840.10008.5.1.4.1.1.11.1',
      '00081115': [object({ '00081140': [object({ '00081155': 'i.1' })] })],
      ...more,
    }),
  ])[0]
const curveOf = (image: Record<string, unknown>, state?: Record<string, unknown>) =>
  readGreyCurve(imageWith(image), state && stateWith(state), nowhere)
/** The brightness that a curve gives a value in the image's own units. */
function at(curve: GreyCurve | undefined, value: number): number | undefined {
  if (!curve) return undefined
  const next = curve.find((point) => point.value >= value) ?? curve.at(-1)
  const before = curve.findLast((point) => point.value <= value) ?? curve[0]
  if (!next || !before) return undefined
  const share = next.value > before.value ? (value - before.value) / (next.value - before.value) : 0
  return before.level + (next.level - before.level) * share
}

describe('the curve of an image', () => {
  it('is none where a window says everything', async () => {
    expect(await curveOf({})).toBeUndefined()
    expect(await curveOf({ '00281050': 40, '00281051': 400 })).toBeUndefined()
    expect(await curveOf({ '00281050': 40, '00281051': 400, '00283010': [table(0, 8, [0, 255])] })).toBeUndefined()
    expect(await curveOf({}, { '00283110': [object({ '00281050': 40, '00281051': 400 })] })).toBeUndefined()
  })

  it('comes of its own table of values of interest, in modality units', async () => {
    const entries = Array.from({ length: 101 }, (_, step) => step * step)
    for (const data of [entries, wordsOf(entries)]) {
      const curve = await curveOf({ '00283010': [table(-50, 14, entries, data)] })
      expect(at(curve, -50)).toBe(0)
      expect(at(curve, 0)).toBeCloseTo(2500 / 16383, 2)
      expect(at(curve, 50)).toBeCloseTo(10000 / 16383, 2)
      expect([at(curve, -900), at(curve, 900)]).toEqual([at(curve, -50), at(curve, 50)])
    }
  })

  it('goes through its own modality table before the window, but not in angiography', async () => {
    const inverse = Array.from({ length: 256 }, (_, stored) => 255 - stored)
    const image = { '00283000': [table(0, 8, inverse)], '00281053': 1, '00281052': 0, '00281050': 128, '00281051': 256 }
    const curve = await curveOf(image)
    expect(at(curve, 0)).toBeCloseTo(1, 2)
    expect(at(curve, 255)).toBeCloseTo(0, 2)
    expect(await curveOf({ ...image, '00080060': 'XA', '00281040': 'LOG' })).toBeUndefined()
  })

  it('keeps the steps of a narrow window on a long table', async () => {
    const straight = Array.from({ length: 65536 }, (_, stored) => stored)
    const image = { '00283000': [table(0, 16, straight)], '00281053': 1, '00281052': 0 }
    const curve = await curveOf({ ...image, '00281050': 30000, '00281051': 101 })
    expect(curve?.length).toBeLessThan(300)
    expect(at(curve, 30000)).toBeCloseTo(0.5, 1)
  })
})

describe('the curve of a presentation state', () => {
  it('takes the place of the image’s own, in the units that the state gives values', async () => {
    const own = { '00283010': [table(0, 8, [0, 255])], '00281050': 1, '00281051': 2 }
    const step = { '00283110': [object({ '00283010': [table(10, 8, [0, 0, 255])] })] }
    const inOwnUnits = await curveOf(own, step)
    expect([at(inOwnUnits, 10), at(inOwnUnits, 12)]).toEqual([0, 1])
    // with a rescale of 1 and 0 the values 10 and 12 are stored ones, which the image’s own rescale makes -980 and -976
    const inItsUnits = await curveOf(own, { ...step, '00281053': 1, '00281052': 0 })
    expect([at(inItsUnits, -980), at(inItsUnits, -976)]).toEqual([0, 1])
  })

  it('ends with its presentation table, after the window that the image has', async () => {
    const dark = [table(0, 8, [0, 0, 0, 0, 255])]
    const curve = await curveOf({ '00281050': 50, '00281051': 101 }, { '20500010': dark })
    expect([at(curve, 20), at(curve, 60), at(curve, 101)]).toEqual([0, 0, 1])
  })

  it('fails where a table cannot be read', async () => {
    const broken = { '00283110': [object({ '00283010': [object({ '00283002': [2, 0, 8] })] })] }
    await expect(curveOf({}, broken)).rejects.toThrow('without entries')
  })
})
