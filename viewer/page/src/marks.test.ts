import { describe, expect, it } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import { AS_STORED, chooseImages, marksOf, optionsOf, type SeriesOptions } from './marked-series.ts'
import { turnLetters } from './orientation.ts'
import { presentationOf, readPresentationStates } from './presentation-state.ts'
import { segmentsOn } from './segmentation.ts'
import { type ImageSeries, readSeriesImages } from './series-images.ts'
import { keyNoteOf, readStudyMarks, type StudyMarks } from './study-marks.ts'

type Values = Record<string, unknown[] | string | number>
const object = (values: Values): DicomObject =>
  Object.fromEntries(
    Object.entries(values).map(([tag, value]) => [tag, { vr: 'LO', Value: Array.isArray(value) ? value : [value] }]),
  )
const refer = (sopUid: string, ...frames: number[]) =>
  object({ '00081155': sopUid, ...(frames.length > 0 ? { '00081160': frames } : {}) })
const inSeries = (seriesUid: string, tag: string, ...items: DicomObject[]) =>
  object({ '0020000E': seriesUid, [tag]: items })
const SOP = '1.2.840.10008.5.1.4.1.1.'

/** Three slices at 0, 5 and 10 mm, 100 × 100 pixels of 2 mm. */
const slices = [0, 1, 2].map((at) =>
  object({
    '00080018': `i.${at}`,
    '00280010': 100,
    '00280011': 100,
    '00200013': at,
    '00200032': [0, 0, at * 5],
    '00200037': [1, 0, 0, 0, 1, 0],
    '00280030': [2, 2],
    '00180050': 5,
    '00200052': 'frame',
    '00281053': 2,
    '00281052': -1000,
  }),
)
const series = readSeriesImages(slices) as ImageSeries
const [firstImage, middleImage] = series.images as [ImageSeries['images'][0], ImageSeries['images'][0]]

const note = (title: string, ...references: DicomObject[]) =>
  object({
    '00080016': `${SOP}88.59`,
    '0020000E': 'notes',
    '0040A043': [object({ '00080100': title, '00080104': 'For Surgery' })],
    '0040A375': [object({ '00081115': [inSeries('slices', '00081199', ...references)] })],
    '0040A730': [
      object({ '0040A160': 'Look at the edge' }),
      object({ '0040A730': [object({ '00081199': references })] }),
    ],
  })
const state = (more: Values) =>
  object({
    '00080016': `${SOP}11.1`,
    '0020000E': 'states',
    '00700080': 'UNNAMED',
    '00700082': '20260302',
    '00081115': [inSeries('slices', '00081140', refer('i.1'))],
    ...more,
  })
const segmentation = (more: Values) =>
  object({
    '00080016': `${SOP}66.4`,
    '00080018': 'seg',
    '0020000E': 'segments',
    '00280008': 1,
    '00280010': 50,
    '00280011': 50,
    '00280100': 1,
    '00200052': 'frame',
    '00620002': [object({ '00620004': 1, '00620005': '1', '0062000F': [object({ '00080104': 'Bone' })] })],
    ...more,
  })

const strip = (seriesUid: string, modality: string) => ({
  seriesUid,
  modality,
  number: undefined,
  description: '',
  count: 1,
})
function readMarks(answers: Record<string, DicomObject[]>): Promise<StudyMarks> {
  const list = [strip('notes', 'KO'), strip('states', 'PR'), strip('segments', 'SEG'), strip('slices', 'CT')]
  return readStudyMarks(list, async (seriesUid) => {
    const found = answers[seriesUid]
    if (!found) throw new Error('it did not come')
    return found
  })
}

describe('key images', () => {
  it('are those that notes name, wherever in them; notes of rejected images mark none', async () => {
    const marks = await readMarks({ notes: [note('113005', refer('i.1')), note('113001', refer('i.0'))] })
    expect(keyNoteOf(marks, middleImage)).toMatchObject({ title: 'For Surgery', text: 'Look at the edge' })
    expect(keyNoteOf(marks, firstImage)).toBeUndefined()
    expect(marksOf(series, marks).keyCount).toBe(1)
    expect(marks.aboutSeries.get('notes')).toEqual(['slices'])
  })

  it('may be single frames', async () => {
    const marks = await readMarks({ notes: [note('113000', refer('i.0', 2, 5))] })
    expect([1, 2, 5].map((frame) => keyNoteOf(marks, { sopUid: 'i.0', frame }) !== undefined)).toEqual([
      false,
      true,
      true,
    ])
  })

  it('can be walked alone, from the one that is shown', async () => {
    const marks = await readMarks({ notes: [note('113000', refer('i.1'), refer('i.2'))] })
    const options = optionsOf('notes', marks, 'KO')
    const chosen = chooseImages(series, marks, options, { sopUid: 'i.2', frame: 1 })
    expect([chosen.series.images.map(({ sopUid }) => sopUid), chosen.startAt]).toEqual([['i.1', 'i.2'], 1])
    expect(chooseImages(series, marks, options, undefined).startAt).toBe(0)
  })
})

describe('PET', () => {
  it('begins at its middle, but for what is asked for, and notes of a few begin at the first', async () => {
    const marks = await readMarks({ notes: [note('113000', refer('i.1'), refer('i.2'))] })
    const pet = { ...series, isPet: true }
    const begin = (options: SeriesOptions, current?: { sopUid: string; frame: number }) =>
      chooseImages(pet, marks, options, current).startAt
    expect(begin(AS_STORED)).toBe(Math.trunc(pet.images.length / 2))
    expect(begin(AS_STORED, { sopUid: 'i.2', frame: 1 })).toBe(pet.images.findIndex(({ sopUid }) => sopUid === 'i.2'))
    expect(begin(optionsOf('notes', marks, 'KO'))).toBe(0)
  })
})

describe('a presentation state', () => {
  const shownAs = (more: Values, image = middleImage) => {
    const [read] = readPresentationStates([state(more)])
    return read && presentationOf(read, image)
  }

  it('speaks of the images it names and starts on the first of them', async () => {
    expect(shownAs({}, firstImage)).toBeUndefined()
    expect(shownAs({})).toMatchObject({ rotation: 0, isFlipped: false, shutter: undefined, graphics: [] })
    const marks = await readMarks({ states: [state({})] })
    expect(marksOf(series, marks).states.map(({ label }) => label)).toEqual(['Presentation, 2 Mar 2026'])
    expect(chooseImages(series, marks, optionsOf('states', marks, 'PR'), undefined).startAt).toBe(1)
  })

  it('gives its window in its own units, the rest for the image alone that it names', () => {
    const voi = object({ '00281050': 40, '00281051': 400 })
    expect(shownAs({ '00283110': [voi] })?.window).toEqual({ lower: -160, upper: 239 })
    expect(shownAs({ '00283110': [voi], '00281053': 1, '00281052': 0 })?.window).toEqual({ lower: -1320, upper: -522 })
    const ofAnother = { ...voi, ...object({ '00081140': [refer('i.0')] }) }
    expect(shownAs({ '00283110': [ofAnother] })?.window).toBeUndefined()
    expect(shownAs({ '20500020': 'INVERSE' })?.isInverted).toBe(true)
  })

  it('that maps values by tables leaves the window to them', () => {
    const table = object({ '00283010': [object({})] })
    expect(shownAs({ '00283110': [table] })).toMatchObject({ window: undefined, hasTables: true })
    expect(shownAs({})?.hasTables).toBe(false)
  })

  it('covers what the bits of a shutter lie on', () => {
    const found = shownAs({ '00181600': ['BITMAP'], '00181623': 0x6002, '00181622': 0x8000 })
    expect(found?.shutter).toEqual({ shapes: [], grey: 128, bitmap: '6002' })
  })

  it('shutters, turns and fits a part of the image', () => {
    const shutter = { '00181600': ['RECTANGULAR', 'CIRCULAR'], '00181602': 11, '00181604': 90, '00181606': 21 }
    const rest = { '00181608': 80, '00181610': [50, 40], '00181612': 30, '00181622': 0xffff }
    const area = object({ '00700052': [11, 21], '00700053': [60, 80] })
    const found = shownAs({ ...shutter, ...rest, '00700042': 90, '00700041': 'Y', '0070005A': [area] })
    expect(found).toMatchObject({
      rotation: 90,
      isFlipped: true,
      area: { left: 10, top: 20, right: 60, bottom: 80 },
      shutter: { grey: 255, shapes: [{ kind: 'polygon' }, { kind: 'circle', x: 39.5, y: 49.5, radius: 30 }] },
    })
    expect(turnLetters({ left: 'R', right: 'L', top: 'A', bottom: 'P' }, 90, false)).toEqual({
      top: 'R',
      right: 'A',
      bottom: 'L',
      left: 'P',
    })
    expect(turnLetters({ left: 'R', right: 'L', top: 'A', bottom: 'P' }, 90, true).left).toBe('A')
  })

  it('draws lines and texts, also those placed by shares of the displayed area', () => {
    const line = object({ '00700005': 'PIXEL', '00700023': 'POLYLINE', '00700022': [1, 2, 3, 4] })
    const ring = object({ '00700005': 'DISPLAY', '00700023': 'CIRCLE', '00700022': [0.5, 0.5, 1, 0.5] })
    const words = object({
      '00700006': '<b>here',
      '00700003': 'PIXEL',
      '00700010': [5, 6],
      '00700004': 'PIXEL',
      '00700014': [7, 8],
      '00700015': 'Y',
    })
    const area = object({ '00700052': [1, 1], '00700053': [100, 50] })
    const found = shownAs({
      '0070005A': [area],
      '00700001': [object({ '00700009': [line, ring], '00700008': [words] })],
    })
    expect(found?.graphics).toEqual([
      {
        kind: 'lines',
        points: [
          [1, 2],
          [3, 4],
        ],
        isFilled: false,
      },
      { kind: 'circle', center: [50, 25], onEdge: [100, 25], isFilled: false },
      { kind: 'text', text: '<b>here', at: [5, 6], anchor: [7, 8] },
    ])
  })
})

describe('a segmentation', () => {
  const laidOn = async (more: Values) => {
    const marks = await readMarks({ segments: [segmentation(more)] })
    return series.images.map((image) => segmentsOn(marks.segmentations, image))
  }
  const group = (tag: string, values: Values) => ({ [tag]: { vr: 'SQ', Value: [object(values)] } })
  const place = (z: number, mm: number) => ({
    ...group('00209113', { '00200032': [mm / 2 - 1, mm / 2 - 1, z] }),
    ...group('00209116', { '00200037': [1, 0, 0, 0, 1, 0] }),
    ...group('00289110', { '00280030': [mm, mm] }),
  })

  it('lies on the images of its place, in their pixels', async () => {
    const laid = await laidOn({ '52009230': [place(5.2, 4)] })
    expect(laid.map((on) => on.length)).toEqual([0, 1, 0])
    expect(laid[1]?.[0]?.segments.map(({ label }) => label)).toEqual(['Bone'])
    expect(laid[1]?.[0]?.matrix.map((part) => Math.round(part * 1e6) / 1e6)).toEqual([2, 0, 0, 2, 0, 0])
    expect((await laidOn({ '52009230': [place(5, 4)], '00200052': 'other' })).flat()).toEqual([])
  })

  it('lies on the images it names, also without a place where it is as large', async () => {
    const named = group('00089124', { '00082112': [refer('i.2')] })
    const large = { '00280010': 100, '00280011': 100 }
    const laid = await laidOn({ '52009230': [named], ...large })
    expect(laid.map((on) => on.length)).toEqual([0, 0, 1])
    expect((await laidOn({ '52009230': [named] })).flat()).toEqual([])
  })

  it('that is a label map names all its segments on each image, and not what lies between them', async () => {
    const item = (number: number, label: string) => object({ '00620004': number, '00620005': label })
    const map = { '00080016': `${SOP}66.7`, '00280100': 16, '00280120': 9 }
    const items = [item(0, 'Background'), item(2, 'Liver'), item(9, 'Padding'), item(300, 'Spleen')]
    const marks = await readMarks({
      segments: [segmentation({ ...map, '00620002': items, '52009230': [place(5, 2)] })],
    })
    const laid = segmentsOn(marks.segmentations, middleImage)
    expect(laid.map(({ segments }) => segments.map(({ label }) => label))).toEqual([['Liver', 'Spleen']])
    expect(marksOf(series, marks).segments.map(({ label }) => label)).toEqual(['Liver', 'Spleen'])
    expect(marks.segmentations[0]).toMatchObject({ kind: 'labels', labelBytes: 2, padding: 9 })
  })

  it('has other colours than one before it, on its images too', async () => {
    const one = segmentation({ '52009230': [place(5, 2)] })
    const marks = await readMarks({ segments: [one, one] })
    const colours = segmentsOn(marks.segmentations, middleImage).flatMap(({ segments }) =>
      segments.map(({ colour }) => colour.join()),
    )
    expect([colours.length, new Set(colours).size]).toEqual([2, 2])
    expect(marksOf(series, marks).segments.map(({ colour }) => colour.join())).toEqual(colours)
  })

  it.each([2, 12, 30])(
    'has colours that the eye tells from each other, also of %i segmentations in one stored colour',
    async (count) => {
      const red = object({ '00620004': 1, '00620005': 'Lesion', '0062000D': [34000, 60000, 50000] })
      const alike = object({ '00620004': 1, '00620005': 'Lesion', '0062000D': [34600, 60000, 50000] })
      const marks = await readMarks({
        segments: Array.from({ length: count }, (_, at) =>
          segmentation({ '52009230': [place(5, 2)], '00620002': [at % 2 === 0 ? red : alike] }),
        ),
      })
      const colours = marks.segmentations.flatMap(({ segments }) => segments.map(({ colour }) => colour))
      const near = colours.flatMap((one, at) =>
        colours.slice(at + 1).filter((other) => Math.hypot(...one.map((part, k) => part - (other[k] ?? 0))) < 40),
      )
      expect([colours.length, near]).toEqual([count, []])
    },
  )

  it('has the colours it names', async () => {
    const segment = object({ '00620004': 1, '00620005': 'Liver', '0062000D': [65535, 32896, 32896] })
    const [, on] = await laidOn({ '52009230': [place(5, 2)], '00620002': [segment] })
    for (const part of on?.[0]?.segments[0]?.colour ?? [0]) expect(part).toBeGreaterThan(250)
  })
})
