import { describe, expect, it } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import { contoursOn, readStructureSets, structuresOn } from './structure-set.ts'

const FRAME = '1.2.3'
const cs = (value: string) => ({ vr: 'CS', Value: [value] })
const ds = (...values: unknown[]) => ({ vr: 'DS', Value: values })
const sq = (...items: DicomObject[]) => ({ vr: 'SQ', Value: items })

/** Ten millimetres square, 20 mm to the right and 40 mm down, on one height. */
const square = (z: number) => [20, 40, z, 30, 40, z, 30, 50, z, 20, 50, z]
const contour = (type: string, points: unknown[], images: string[] = []): DicomObject => ({
  '30060042': cs(type),
  '30060050': ds(...points),
  ...(images.length > 0 && { '30060016': sq(...images.map((uid) => ({ '00081155': { vr: 'UI', Value: [uid] } }))) }),
})
const structure = (number: number, name: string): DicomObject => ({
  '30060022': { vr: 'IS', Value: [number] },
  '30060024': { vr: 'UI', Value: [FRAME] },
  '30060026': { vr: 'LO', Value: [name] },
})
const drawing = (number: number, colour: number[] | undefined, ...contours: DicomObject[]): DicomObject => ({
  '30060084': { vr: 'IS', Value: [number] },
  ...(colour && { '3006002A': { vr: 'IS', Value: colour } }),
  '30060040': sq(...contours),
})
const makeSet = (structures: DicomObject[], drawings: DicomObject[]): DicomObject => ({
  '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.481.3'] },
  '30060020': sq(...structures),
  '30060039': sq(...drawings),
})

/** An axial image whose first pixel has its middle at 10, 20 mm; pixels are 2 mm wide and 4 mm high. */
const image = (sopUid: string, z: number, more: DicomObject = {}) => ({
  sopUid,
  frame: 1,
  instance: {
    '00200052': { vr: 'UI', Value: [FRAME] },
    '00200032': ds(10, 20, z),
    '00200037': ds(1, 0, 0, 0, 1, 0),
    '00280030': ds(4, 2),
    '00180050': ds(3),
    ...more,
  },
})
const readOne = (...contours: DicomObject[]) =>
  readStructureSets([makeSet([structure(1, 'Heart')], [drawing(1, [255, 0, 16], ...contours)])])

describe('contours of a structure set', () => {
  it('lie in the pixels of the image that they name, closed, in the name and colour of their structure', () => {
    const sets = readOne(contour('CLOSED_PLANAR', square(7), ['1.1']))
    const laid = contoursOn(sets, image('1.1', 7))
    expect(laid).toEqual([
      {
        structure: { number: 1, label: 'Heart', colour: [255, 0, 16] },
        graphic: {
          kind: 'lines',
          isFilled: false,
          colour: [255, 0, 16],
          points: [
            [5.5, 5.5],
            [10.5, 5.5],
            [10.5, 8],
            [5.5, 8],
            [5.5, 5.5],
          ],
        },
      },
    ])
    // on no other image, at the same place or elsewhere
    expect(contoursOn(sets, image('1.2', 7))).toEqual([])
    expect(structuresOn(sets, image('1.1', 7)).map(({ label }) => label)).toEqual(['Heart'])
  })

  it.each([
    ['in the slice', 0, {}, 1],
    ['within half its thickness', 1.4, {}, 1],
    ['beyond', 1.6, {}, 0],
    ['in another frame of reference', 0, { '00200052': { vr: 'UI', Value: ['9.9'] } }, 0],
    ['across the slice', 0, { '00200037': ds(1, 0, 0, 0, 0, -1) }, 0],
    ['where the image has no place', 0, { '00200032': undefined }, 0],
  ])('that name no image lie where their place says: %s', (_name, away, more, count) => {
    const sets = readOne(contour('CLOSED_PLANAR', square(7)))
    expect(contoursOn(sets, image('1.1', 7 + away, more))).toHaveLength(count)
  })

  it.each([
    ['OPEN_PLANAR', [{ kind: 'lines', count: 4 }]],
    ['CLOSEDPLANAR_XOR', [{ kind: 'lines', count: 5 }]],
    ['POINT', [{ kind: 'dots', count: 4 }]],
    ['OPEN_NONPLANAR', []],
  ])('of the type %s are drawn as they are', (type, drawn) => {
    const laid = contoursOn(readOne(contour(type, square(7))), image('1.1', 7))
    expect(
      laid.map(({ graphic }) => ({ kind: graphic.kind, count: 'points' in graphic && graphic.points.length })),
    ).toEqual(drawn)
  })

  it.each([
    ['numbers that are none', [20, 40, 'x', 'x', 'x', 7]],
    ['a number too few', [20, 40, 7, 30, 40]],
    ['no numbers', []],
  ])('with %s are left out, and others are not', (_name, points) => {
    const sets = readOne(contour('CLOSED_PLANAR', points), contour('POINT', [20, 40, 7]))
    expect(contoursOn(sets, image('1.1', 7)).map(({ graphic }) => graphic.kind)).toEqual(['dots'])
  })

  it('stand under their own numbers; structures without contours, or without a colour, do no harm', () => {
    const own = contour('CLOSED_PLANAR', square(7))
    const [set] = readStructureSets([
      makeSet(
        [structure(3, 'Lung'), structure(1, 'Empty'), structure(2, ''), structure(4, 'Not drawn')],
        [drawing(2, undefined, own), drawing(1, [1, 2, 3]), drawing(3, [300, -1, 7], own)],
      ),
    ])
    expect(set?.structures.map(({ number, label, colour }) => [number, label, colour.length])).toEqual([
      [3, 'Lung', 3],
      [2, '2', 3],
    ])
    expect(set?.structures[0]?.colour).toEqual([255, 0, 7])
  })

  it('come from objects of that class alone, which may be empty', () => {
    expect(readStructureSets([{}, makeSet([], [])])).toEqual([
      expect.objectContaining({ structures: [], contours: [], seriesUids: [] }),
    ])
  })
})
