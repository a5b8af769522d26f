import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DicomObject } from '../dicom-json.ts'
import { NO_MARKS } from '../study-marks.ts'
import { texts } from '../texts.ts'
import type { StackViewport } from './ohif.ts'
import { createViewportStage } from './viewport-stage.ts'
import type { WholeStudy } from './whole-studies.ts'

/** Calls of the layers, which need a browser's canvas. */
const layers = vi.hoisted(() => ({
  setOn: vi.fn(),
  setMarks: vi.fn(),
  show: vi.fn((_image?: { sopUid: string }, _drawn?: object) => Promise.resolve(true)),
  place: vi.fn(),
  presentationOf: vi.fn(() => undefined),
  readCurve: vi.fn((): Promise<unknown> => Promise.resolve(undefined)),
}))
const settle = vi.hoisted(() => vi.fn((_presentation?: object, _curve?: unknown, _isFresh?: boolean) => true))
vi.mock('../stack-layers.ts', () => ({ createStackLayers: () => layers }))
vi.mock('../element.ts', () => ({ element: () => ({ isConnected: true, append: vi.fn(), remove: vi.fn() }) }))
vi.mock('../legend.ts', () => ({ createLegend: () => ({ root: {}, show: vi.fn() }) }))
vi.mock('../presentation-view.ts', () => ({
  createPresentationView: () => ({ settle, forget: vi.fn(), isArranged: () => false }),
}))

const TABLES = { VOILUTSequence: [{}] }
const instances: Record<string, Record<string, unknown>> = {}
const place = { isConnected: true, append: vi.fn() } as unknown as HTMLElement
const answers = { series: () => Promise.resolve<ReadonlyMap<string, DicomObject>>(new Map()) }

function addImage(imageId: string, more: object = {}) {
  instances[imageId] = {
    StudyInstanceUID: 's',
    SeriesInstanceUID: 'e',
    SOPInstanceUID: imageId,
    Rows: 4,
    Columns: 4,
    ...more,
  }
  return { imageId, width: 4, height: 4, color: false }
}

function makeStage(isOn = true) {
  const study = {
    source: {},
    readMarks: () => Promise.resolve(NO_MARKS),
    imageOf: async (_series: string, sopUid: string, frame: number) => {
      const instance = (await answers.series()).get(sopUid) ?? {}
      return { instance, sopUid, frame, framesPerSecond: 1 }
    },
  } as unknown as WholeStudy
  const switches = { isOn, state: undefined, onTurned: () => undefined, onShown: () => undefined }
  return createViewportStage(
    place,
    () => study,
    switches,
    { isAny: false },
    () => undefined,
  )
}

/** A stack that has one image on the screen while it names another. */
function makeViewport(shown: object, imageIds: string[]) {
  const stack = {
    shown,
    imageIds,
    getCornerstoneImage: () => stack.shown,
    getImageIds: () => stack.imageIds,
    resetProperties: vi.fn(),
    resetCamera: vi.fn(),
    render: vi.fn(),
  }
  return stack
}
const follow = (stage: ReturnType<typeof makeStage>, stack: object) => stage.follow(stack as StackViewport)
const shownImages = () => layers.show.mock.calls.flatMap(([image]) => (image ? [image.sopUid] : []))
const settleDown = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', { cornerstone: { metaData: { get: (_type: string, id: string) => instances[id] } } })
  answers.series = () => Promise.resolve(new Map())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

describe('the layers of a place in the full viewer', () => {
  it('are those of the image on the screen, also when it is drawn while the next one loads', async () => {
    const [one, other] = [addImage('one', TABLES), addImage('other', TABLES)]
    const stack = makeViewport(one, ['one', 'other'])
    const stage = makeStage()
    follow(stage, stack)
    follow(stage, stack)
    await settleDown()
    expect(shownImages()).toEqual(['one'])
    stack.shown = other
    follow(stage, stack)
    await settleDown()
    expect(shownImages()).toEqual(['one', 'other'])
    expect(layers.show).toHaveBeenLastCalledWith(expect.objectContaining({ sopUid: 'other' }), other)
  })

  it('of an image that has none take off the curve of the image before', async () => {
    const curve = [{ value: 0, level: 0 }]
    layers.readCurve.mockResolvedValueOnce(curve)
    const stack = makeViewport(addImage('tables', TABLES), ['tables', 'plain'])
    const stage = makeStage()
    follow(stage, stack)
    await settleDown()
    expect(settle).toHaveBeenLastCalledWith(undefined, curve, false)
    stack.shown = addImage('plain')
    follow(stage, stack)
    await settleDown()
    expect(settle).toHaveBeenLastCalledWith(undefined, undefined, false)
  })

  it('are switched off before the first of them is drawn', async () => {
    follow(makeStage(false), makeViewport(addImage('one', TABLES), ['one']))
    await settleDown()
    expect(layers.setOn).toHaveBeenCalledWith(false)
    const order = layers.show.mock.invocationCallOrder.at(-1) ?? 0
    expect(layers.setOn.mock.invocationCallOrder[0]).toBeLessThan(order)
  })

  it('of a stack that is gone are not laid on the next one', async () => {
    let answer = (_series: ReadonlyMap<string, DicomObject>) => undefined as void
    answers.series = () => new Promise((resolve) => (answer = resolve))
    const stack = makeViewport(addImage('one', TABLES), ['one'])
    const stage = makeStage()
    follow(stage, stack)
    await settleDown()
    stage.forget()
    answer(new Map())
    await settleDown()
    expect(settle).not.toHaveBeenCalled()
  })

  it('are not laid on while another stack loads', async () => {
    const stack = makeViewport(addImage('one', TABLES), ['one'])
    follow(makeStage(), stack)
    stack.imageIds = ['another']
    await settleDown()
    expect(settle).not.toHaveBeenCalled()
  })

  it('that did not come are told of and asked for again', async () => {
    answers.series = () => Promise.reject(new Error('no answer'))
    const stage = makeStage()
    follow(stage, makeViewport(addImage('one', TABLES), ['one']))
    await settleDown()
    expect(stage.shown().remarks).toEqual([texts.layersUnread])
    answers.series = () => Promise.resolve(new Map())
    layers.show.mockImplementation((image) => Promise.resolve(image === undefined))
    await vi.advanceTimersByTimeAsync(3000)
    expect(stage.shown().remarks).toEqual([texts.layersUnread])
    layers.show.mockImplementation(() => Promise.resolve(true))
    await vi.advanceTimersByTimeAsync(6000)
    expect(stage.shown().remarks).toEqual([])
  })

  it('are applied again when somebody puts the view back', async () => {
    const stack = makeViewport(addImage('one', TABLES), ['one'])
    const stage = makeStage()
    follow(stage, stack)
    await settleDown()
    stack.resetProperties()
    follow(stage, stack)
    await settleDown()
    expect(settle.mock.calls.map(([, , isFresh]) => isFresh)).toEqual([false, true])
  })
})
