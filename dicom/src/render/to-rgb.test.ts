import { describe, expect, test } from 'vitest'
import { memorySource } from './byte-source.ts'
import { decodeFrame } from './decode.ts'
import { readFrame } from './frames.ts'
import { describeImage } from './image-description.ts'
import { readImageHeader } from './image-header.ts'
import { buildObject, type TestElement, type TestImage, words } from './test-object.ts'
import { type ToScreenOptions, toDeepGrey, toScreen } from './to-rgb.ts'

async function decodedOf(image: TestImage, frame = 0) {
  const header = await readImageHeader(memorySource(buildObject(image)))
  const description = describeImage(header)
  return { header, decoded: await decodeFrame(await readFrame(header, frame, description), description) }
}

async function screenOf(image: TestImage, options?: ToScreenOptions, frame = 0): Promise<number[]> {
  const { header, decoded } = await decodedOf(image, frame)
  return [...toScreen(decoded, header.attributes, frame, options).data]
}

const window = (center: string, width: string, shape?: string): TestElement[] => [
  { tag: 0x00281050, vr: 'DS', value: center },
  { tag: 0x00281051, vr: 'DS', value: width },
  ...(shape ? [{ tag: 0x00281056, vr: 'CS', value: shape }] : []),
]
const row = (values: number[], more: Partial<TestImage> = {}): TestImage => ({
  rows: 1,
  columns: values.length,
  bits: 16,
  pixels: words(values),
  ...more,
})
const lutItem = (first: number, bits: number, entries: number[]): TestElement[] => [
  { tag: 0x00283002, vr: 'US', value: [entries.length, first, bits] },
  { tag: 0x00283006, vr: 'US', value: entries },
]

describe('grey', () => {
  test('follows the linear window of PS3.3 C.11.2.1.2', async () => {
    const image = row([0, 1, 128, 254, 255, 4000], { elements: window('128', '256') })
    expect(await screenOf(image)).toEqual([0, 1, 128, 254, 255, 255])
  })

  test('follows LINEAR_EXACT and SIGMOID', async () => {
    const values = [0, 50, 100]
    expect(await screenOf(row(values, { elements: window('50', '100', 'LINEAR_EXACT') }))).toEqual([0, 128, 255])
    expect(await screenOf(row(values, { elements: window('50', '100', 'SIGMOID') }))).toEqual([30, 128, 225])
  })

  test('takes the preset and the window that are asked for', async () => {
    const image = row([0, 100, 200], { elements: window('1000\\100', '2000\\201') })
    expect(await screenOf(image, { voi: { kind: 'stored', index: 1 } })).toEqual([1, 128, 255])
    expect(await screenOf(image, { voi: { kind: 'window', center: 100.5, width: 2 } })).toEqual([0, 128, 255])
  })

  test('is inverted for MONOCHROME1', async () => {
    const image = row([0, 255], { photometric: 'MONOCHROME1', elements: window('128', '256') })
    expect(await screenOf(image)).toEqual([255, 0])
  })

  test('applies rescale to signed values of 12 bits, past stray bits above them', async () => {
    const elements = [
      ...window('0', '201'),
      { tag: 0x00281052, vr: 'DS', value: '-50' },
      { tag: 0x00281053, vr: 'DS', value: '0.5' },
    ]
    const image = row([0xf000 | 100, 0x0f38, 0x7000 | 300], { stored: 12, isSigned: true, elements })
    // 100 → 0, -200 → -150, 300 → 100
    expect(await screenOf(image)).toEqual([128, 0, 255])
  })

  test('applies the Modality LUT and the VOI LUT', async () => {
    const elements = [
      { tag: 0x00283000, vr: 'SQ', value: [lutItem(10, 16, [100, 101, 102])] },
      { tag: 0x00283010, vr: 'SQ', value: [lutItem(100, 8, [0, 200, 255])] },
    ]
    expect(await screenOf(row([0, 10, 11, 12, 99], { elements }))).toEqual([0, 0, 200, 255, 255])
  })

  test('without a window spans the pixels but for padding', async () => {
    const values = [...Array.from({ length: 101 }, (_, index) => 1000 + index), 63536]
    const elements = [{ tag: 0x00280120, vr: 'SS', value: 63536 }]
    const screen = await screenOf(row(values, { isSigned: true, elements }))
    expect(screen[0]).toBe(0)
    expect(screen[50]).toBe(128)
    expect(screen[100]).toBe(255)
    expect(screen[101]).toBe(0)
  })

  test.each([
    ['a value', [{ tag: 0x00280120, vr: 'US', value: 4000 }], {}],
    [
      'a range, whose ends come in any order',
      [
        { tag: 0x00280120, vr: 'US', value: 4010 },
        { tag: 0x00280121, vr: 'US', value: 3990 },
      ],
      {},
    ],
    ['a word with stray bits above the value', [{ tag: 0x00280120, vr: 'US', value: 0xf000 | 4000 }], { stored: 12 }],
    [
      'a value that is shifted up',
      [{ tag: 0x00280120, vr: 'US', value: 64_000 }],
      { stored: 12, highBit: 15, shift: 4 },
    ],
  ])(
    'without a window leaves padding out: %s',
    async (_, elements, { shift = 0, ...more }: Partial<TestImage> & { shift?: number }) => {
      const values = [...Array.from({ length: 101 }, (__, index) => 1000 + index), 4000, 4000, 4000]
      const image = row(
        values.map((value) => value << shift),
        { elements, ...more },
      )
      const screen = await screenOf(image)
      expect([screen[0], screen[50], screen[100]]).toEqual([0, 128, 255])
      const { header, decoded } = await decodedOf(image)
      const deep = toDeepGrey(decoded, header.attributes, 0)?.data
      expect([deep?.[0], deep?.[50], deep?.[100]]).toEqual([0, 32768, 65535])
    },
  )

  test.each([
    ['float', 0x7fe00008, 'OF', Float32Array, 0x00280122, 0x00280124, 'FL'],
    ['double', 0x7fe00009, 'OD', Float64Array, 0x00280123, 0x00280125, 'FD'],
  ] as const)(
    'without a window leaves the padding of %s pixels out',
    async (_, pixelTag, pixelVr, Values, value, limit, vr) => {
      const bytes = (number: number) => new Uint8Array(Values.of(number).buffer)
      const pixels = new Uint8Array(Values.from([0, 0.5, 1, -9999, -9998]).buffer)
      const elements = [
        { tag: value, vr, value: bytes(-9999) },
        { tag: limit, vr, value: bytes(-9998) },
      ]
      const image = { rows: 1, columns: 5, bits: 8 * Values.BYTES_PER_ELEMENT, pixelTag, pixelVr, pixels, elements }
      expect((await screenOf(image)).slice(0, 3)).toEqual([0, 128, 255])
    },
  )

  test.each([
    ['float', 0x7fe00008, 'OF', Float32Array],
    ['double', 0x7fe00009, 'OD', Float64Array],
  ] as const)(
    'takes a linear window of %s pixels exactly, narrower than one too',
    async (_, pixelTag, pixelVr, Values) => {
      const image = (center: string, width: string, values: number[], shape?: string): TestImage => ({
        rows: 1,
        columns: values.length,
        bits: 8 * Values.BYTES_PER_ELEMENT,
        pixelTag,
        pixelVr,
        pixels: new Uint8Array(Values.from(values).buffer),
        elements: window(center, width, shape),
      })
      expect(await screenOf(image('0.25', '0.5', [-1, 0, 0.125, 0.25, 0.5, 1]))).toEqual([0, 0, 64, 128, 255, 255])
      expect(await screenOf(image('0.25', '0.5', [0, 0.125, 0.5], 'LINEAR'))).toEqual([0, 64, 255])
      expect(await screenOf(image('0.5', '1', [0, 0.5, 1]))).toEqual([0, 128, 255])
      expect(await screenOf(image('1', '2', [0, 0.5, 1, 2]))).toEqual([0, 64, 128, 255])
      const asked = { kind: 'window', center: 2 ** -15, width: 2 ** -14 } as const
      expect(await screenOf(image('5', '9', [0, 2 ** -15, 2 ** -14]), { voi: asked })).toEqual([0, 128, 255])
    },
  )

  test('takes a window narrower than one of rescaled whole numbers', async () => {
    const elements = [...window('0.5', '0.5'), { tag: 0x00281053, vr: 'DS', value: '0.001' }]
    expect(await screenOf(row([250, 500, 750], { elements }))).toEqual([0, 128, 255])
  })

  test('falls back to the pixels when the stored window misses them all', async () => {
    expect(await screenOf(row([100, 150, 200], { elements: window('9000', '100') }))).toEqual([0, 128, 255])
  })

  test('of one bit is black and white', async () => {
    const image = { rows: 1, columns: 8, bits: 1, pixels: new Uint8Array([0b10110001, 0]) }
    expect(await screenOf(image)).toEqual([255, 0, 0, 0, 255, 255, 0, 255])
  })

  test('may be floats and doubles', async () => {
    const float = new Uint8Array(new Float32Array([-0.5, 0, 0.5, Number.NaN]).buffer)
    const image = { rows: 1, columns: 4, bits: 32, pixelTag: 0x7fe00008, pixelVr: 'OF', pixels: float }
    expect(await screenOf(image)).toEqual([0, 128, 255, 0])
    const double = new Uint8Array(new Float64Array([1e9, 2e9, 3e9]).buffer)
    const doubles = { rows: 1, columns: 3, bits: 64, pixelTag: 0x7fe00009, pixelVr: 'OD', pixels: double }
    expect(await screenOf(doubles)).toEqual([0, 128, 255])
  })

  test('may be integers of 32 bits', async () => {
    const pixels = new Uint8Array(new Int32Array([-1_000_000, 0, 1_000_000]).buffer)
    expect(await screenOf({ rows: 1, columns: 3, bits: 32, isSigned: true, pixels })).toEqual([0, 128, 255])
  })

  test('takes window and rescale of the frame itself in an enhanced object', async () => {
    const perFrame = (center: string): TestElement[] => [
      { tag: 0x00289132, vr: 'SQ', value: [window(center, '101')] },
      { tag: 0x00289145, vr: 'SQ', value: [[{ tag: 0x00281052, vr: 'DS', value: '100' }]] },
    ]
    const elements = [{ tag: 0x52009230, vr: 'SQ', value: [perFrame('150'), perFrame('200')] }]
    const image = { ...row([50, 50, 100, 100]), columns: 2, frames: 2, elements }
    expect(await screenOf(image, undefined, 0)).toEqual([129, 129])
    expect(await screenOf(image, undefined, 1)).toEqual([129, 129])
  })

  test('of 16 bits keeps the whole range', async () => {
    const { header, decoded } = await decodedOf(row([10, 1010, 2010], { elements: window('10', '2') }))
    expect([...(toDeepGrey(decoded, header.attributes, 0)?.data ?? [])]).toEqual([0, 32768, 65535])
  })
})

describe('colour', () => {
  const colour = (photometric: string, pixels: number[], more: Partial<TestImage> = {}): TestImage => ({
    rows: 1,
    columns: 2,
    samples: 3,
    photometric,
    pixels: new Uint8Array(pixels),
    ...more,
  })

  test('by pixel or by plane', async () => {
    expect(await screenOf(colour('RGB', [1, 2, 3, 4, 5, 6]))).toEqual([1, 2, 3, 4, 5, 6])
    expect(await screenOf(colour('RGB', [1, 4, 2, 5, 3, 6], { isPlanar: true }))).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('of 16 bits a sample is cut to 8', async () => {
    const pixels = words([0xff00, 0x8000, 0x0100, 0, 0, 0])
    expect(await screenOf({ ...colour('RGB', []), bits: 16, pixels })).toEqual([255, 128, 1, 0, 0, 0])
  })

  test('in YBR_FULL, halved in YBR_FULL_422, and in YBR_PARTIAL_422', async () => {
    const red = [254, 0, 0]
    expect(await screenOf(colour('YBR_FULL', [76, 85, 255, 76, 85, 255]))).toEqual([...red, ...red])
    expect(await screenOf(colour('YBR_FULL_422', [76, 76, 85, 255]))).toEqual([...red, ...red])
    const white = [255, 255, 255]
    expect(await screenOf(colour('YBR_PARTIAL_422', [235, 16, 128, 128]))).toEqual([...white, 0, 0, 0])
  })

  test('in YBR_FULL_422 with every sample stored is read as stored', async () => {
    expect(await screenOf(colour('YBR_FULL_422', [76, 85, 255, 76, 85, 255]))).toEqual([254, 0, 0, 254, 0, 0])
  })

  test('by palette of 16 bits', async () => {
    const channel = (number: number, entries: number[]) => [
      { tag: 0x00281100 + number, vr: 'US', value: [3, 10, 16] },
      { tag: 0x00281200 + number, vr: 'OW', value: words(entries) },
    ]
    const elements = [
      ...channel(1, [0x1000, 0x2000, 0x3000]),
      ...channel(2, [0, 0xff00, 0]),
      ...channel(3, [0, 0, 0x8000]),
    ]
    const image = row([9, 10, 11, 12, 13], { photometric: 'PALETTE COLOR', elements })
    expect(await screenOf(image)).toEqual([16, 0, 0, 16, 0, 0, 32, 255, 0, 48, 0, 128, 48, 0, 128])
  })

  test('by segmented palette with discrete, linear and indirect segments', async () => {
    const segments = [0, 2, 0, 0x1000, 1, 2, 0x3000, 2, 1, 0, 0]
    const channel = (number: number) => [
      { tag: 0x00281100 + number, vr: 'US', value: [6, 0, 16] },
      { tag: 0x00281220 + number, vr: 'OW', value: words(segments) },
    ]
    const elements = [...channel(1), ...channel(2), ...channel(3)]
    const image = row([0, 1, 2, 3, 4, 5], { photometric: 'PALETTE COLOR', elements })
    const screen = await screenOf(image)
    expect(screen.filter((_, index) => index % 3 === 0)).toEqual([0, 16, 32, 48, 0, 16])
  })

  test('without its palette is refused in words', async () => {
    const image = row([0, 1], { photometric: 'PALETTE COLOR' })
    await expect(screenOf(image)).rejects.toMatchObject({ fault: 'damaged' })
  })
})

describe('overlays', () => {
  const overlay = (more: TestElement[]): TestElement[] => [
    ...window('128', '256'),
    { tag: 0x60000010, vr: 'US', value: 1 },
    { tag: 0x60000011, vr: 'US', value: 4 },
    { tag: 0x60000050, vr: 'SS', value: [1, 1] },
    ...more,
  ]

  test('are burnt in white when asked for', async () => {
    const elements = overlay([{ tag: 0x60003000, vr: 'OW', value: new Uint8Array([0b0110, 0]) }])
    const image = row([7, 7, 7, 7], { elements })
    expect(await screenOf(image, { withOverlays: true })).toEqual([7, 255, 255, 7])
    expect(await screenOf(image)).toEqual([7, 7, 7, 7])
  })

  test('are found in unused bits of the pixels', async () => {
    const elements = overlay([
      { tag: 0x60000100, vr: 'US', value: 16 },
      { tag: 0x60000102, vr: 'US', value: 15 },
    ])
    const image = row([7, 0x8000 | 7, 7, 7], { stored: 12, elements })
    expect(await screenOf(image, { withOverlays: true })).toEqual([7, 255, 7, 7])
  })

  test.each([
    ['above a value of 12 bits', 16, 12, 11, 12, 7],
    ['above a signed value', 16, 12, 11, 15, 7],
    ['below a value that is shifted up', 16, 12, 15, 1, 7 << 4],
    ['above a value of 7 bits', 8, 7, 6, 7, 7],
  ])('in unused bits change no value: %s', async (_, bits, stored, highBit, position, value) => {
    const isSigned = position === 15
    const flag = 1 << position
    const plain = [value, value, value, value]
    const marked = [value, value | flag, value, value | flag]
    const pixels = (values: number[]) => (bits === 8 ? Uint8Array.from(values) : words(values))
    const elements = [
      ...window('128', '256'),
      { tag: 0x60000100, vr: 'US', value: bits },
      { tag: 0x60000102, vr: 'US', value: position },
    ]
    const image = (values: number[]): TestImage => ({
      rows: 1,
      columns: 4,
      bits,
      stored,
      highBit,
      isSigned,
      pixels: pixels(values),
      elements,
    })
    expect(await screenOf(image(marked))).toEqual(await screenOf(image(plain)))
    expect(await screenOf(image(marked), { withOverlays: true })).toEqual([7, 255, 7, 255])
  })

  test('of a region of interest are drawn as its outline', async () => {
    const pixels = words(Array.from({ length: 25 }, () => 7))
    const elements = [
      ...window('128', '256'),
      { tag: 0x60000010, vr: 'US', value: 5 },
      { tag: 0x60000011, vr: 'US', value: 5 },
      { tag: 0x60000040, vr: 'CS', value: 'R ' },
      { tag: 0x60000050, vr: 'SS', value: [1, 1] },
      // 5 × 5, all set
      { tag: 0x60003000, vr: 'OW', value: new Uint8Array([0xff, 0xff, 0xff, 0x01]) },
    ]
    const drawn = await screenOf({ rows: 5, columns: 5, bits: 16, pixels, elements }, { withOverlays: true })
    expect(drawn.filter((grey) => grey === 7)).toHaveLength(9)
  })

  test('lie on the frames that they name, and on all where they name none', async () => {
    const twoFrames = (more: TestElement[]): TestImage => {
      const data = { tag: 0x60003000, vr: 'OW', value: new Uint8Array([0b0001, 0]) }
      return {
        rows: 1,
        columns: 4,
        bits: 16,
        frames: 2,
        pixels: words(Array.from({ length: 8 }, () => 7)),
        elements: overlay([data, ...more]),
      }
    }
    const onSecond = twoFrames([
      { tag: 0x60000015, vr: 'IS', value: '1 ' },
      { tag: 0x60000051, vr: 'US', value: 2 },
    ])
    const isDrawn = async (image: TestImage, frame: number) =>
      (await screenOf(image, { withOverlays: true }, frame)).includes(255)
    expect([await isDrawn(twoFrames([]), 0), await isDrawn(twoFrames([]), 1)]).toEqual([true, true])
    expect([await isDrawn(onSecond, 0), await isDrawn(onSecond, 1)]).toEqual([false, true])
  })

  test('reach over the edges of the image without leaving it', async () => {
    const elements = [
      ...window('128', '256'),
      { tag: 0x60000010, vr: 'US', value: 2 },
      { tag: 0x60000011, vr: 'US', value: 4 },
      { tag: 0x60000050, vr: 'SS', value: [0, -1] },
      { tag: 0x60003000, vr: 'OW', value: new Uint8Array([0b1100_0000, 0]) },
    ]
    expect(await screenOf(row([7, 7, 7, 7], { elements }), { withOverlays: true })).toEqual([255, 255, 7, 7])
  })
})
