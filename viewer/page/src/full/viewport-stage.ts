import { element as make } from '../element.ts'
import type { FullSwitches, ShownInFull } from '../full-switches.ts'
import { overlaysOf } from '../hard-images.ts'
import { createLegend } from '../legend.ts'
import type { GreyCurve } from '../grey-curve.ts'
import { type Presentation, speaksOf } from '../presentation-state.ts'
import { createPresentationView, type PresentationView } from '../presentation-view.ts'
import { type Segmentation, segmentsOn } from '../segmentation.ts'
import type { ViewerImage } from '../series-images.ts'
import { createStackLayers } from '../stack-layers.ts'
import { NO_MARKS, type StudyMarks } from '../study-marks.ts'
import { texts } from '../texts.ts'
import { isSentence } from './drawn-sentence.ts'
import { mayHoldLayers } from './natural-instance.ts'
import type { EnabledViewport, NaturalInstance, StackViewport } from './ohif.ts'
import type { WholeStudy } from './whole-studies.ts'

/** Everything that lies over the images of one place of OHIF. */
export type ViewportStage = {
  /** Draws over the image that the viewport shows now. */
  follow: (viewport: StackViewport) => void
  /** Draws nothing; the remark stands where the study has something to draw. */
  leave: (viewport: EnabledViewport, remark: string) => void
  /** Another stack of images has come: the viewport knows nothing of an applied presentation any more. */
  forget: () => void
  /** Somebody put the view back: a chosen presentation is applied again. */
  forgetView: () => void
  /** Draws anew by the switches. */
  again: () => void
  shown: () => ShownInFull
}

const NOTHING: ShownInFull = { hasLayers: false, states: [], remarks: [] }

type Layers = ReturnType<typeof createStackLayers> & { root: HTMLElement; study: WholeStudy }
type FoundImage = { image: ViewerImage; marks: StudyMarks }

/** @param handleShown is called when other images are shown, or other things lie over them */
export function createViewportStage(
  element: HTMLElement,
  studyOf: (studyUid: string) => WholeStudy,
  switches: FullSwitches,
  handleShown: () => void,
): ViewportStage {
  let viewport: StackViewport | undefined
  let layers: Layers | undefined
  let view: PresentationView | undefined
  let imageId: string | undefined
  let left: EnabledViewport | undefined
  let turn = 0
  let isSettling = false
  let isFresh = false
  let areTablesDrawn = true
  let shown = NOTHING
  const legend = createLegend()

  /** Layers ask the study of their images for bits: another study has layers of its own. */
  function layersOf(study: WholeStudy): Layers {
    if (layers?.study === study && layers.root.isConnected) return layers
    layers?.root.remove()
    const root = make('div', { class: 'hilum-layers' })
    element.append(root)
    layers = { ...createStackLayers(root, study.source, () => viewport), root, study }
    root.append(legend.root)
    return layers
  }

  function tell(next: ShownInFull): void {
    shown = next
    handleShown()
  }

  async function draw(): Promise<void> {
    const mine = ++turn
    void layers?.show(undefined, undefined)
    legend.show([])
    const drawnIn = viewport
    const asked = imageId
    const instance = instanceOf(asked)
    if (!drawnIn || asked === undefined || !instance) return tell(NOTHING)
    const study = studyOf(String(instance['StudyInstanceUID']))
    const found = await findImage(study, asked, instance)
    if (mine !== turn) return
    if (!found) return tell(NOTHING)
    const { image, marks } = found
    const drawn = window.cornerstone?.cache.getImage(asked)
    const isPicture = drawn !== undefined && !isSentence(drawn) && isAsLarge(drawn, instance)
    const { state } = switches
    const segmentations = marks.segmentations.filter(isDrawnByUs)
    const mineLayers = layersOf(study)
    mineLayers.setMarks({ segmentations, state })
    const curve = isPicture && !drawn.color ? await mineLayers.readCurve(image) : undefined
    if (mine !== turn) return
    settle(mineLayers.presentationOf(image), curve, drawnIn)
    await mineLayers.show(image, isPicture ? drawn : undefined)
    if (mine !== turn) return
    mineLayers.setOn(switches.isOn)
    const segments = isPicture ? segmentsOn(segmentations, image).flatMap((one) => one.segments) : []
    legend.show(switches.isOn ? [...new Set(segments)] : [])
    const seriesUid = String(instance['SeriesInstanceUID'])
    const isChosen = state !== undefined && speaksOf(state, image)
    tell({
      hasLayers: overlaysOf(image.instance).length > 0 || segments.length > 0 || isChosen,
      states: marks.states.filter(({ seriesUids }) => seriesUids.includes(seriesUid)),
      remarks: areTablesDrawn ? [] : [isChosen ? texts.presentationPartly : texts.tableNotDrawn],
    })
  }

  function settle(
    presentation: Presentation | undefined,
    curve: GreyCurve | 'unread' | undefined,
    drawnIn: StackViewport,
  ): void {
    view ??= createPresentationView(drawnIn, {
      resetWindow: () => drawnIn.resetProperties(),
      onTables: (isDrawn) => {
        areTablesDrawn = isDrawn
      },
      isByProcessor: () => window.cornerstone?.getShouldUseCPURendering() === false,
    })
    isSettling = true
    const isChanged = view.settle(presentation, curve, isFresh)
    isFresh = isSettling = false
    if (isChanged) drawnIn.render()
  }

  function forget(): void {
    view = undefined
    imageId = undefined
    areTablesDrawn = true
  }

  return {
    follow: (next) => {
      if (next !== viewport) forget()
      left = undefined
      viewport = next
      const now = next.getCurrentImageId()
      if (now === imageId && !isFresh) return layers?.place()
      imageId = now
      void draw()
    },
    leave: (other, remark) => {
      if (left === other) return
      left = other
      viewport = undefined
      forget()
      void draw()
      const mine = turn
      const instance = instanceOf(other.getCurrentImageId?.())
      if (!instance) return
      void studyOf(String(instance['StudyInstanceUID']))
        .readMarks()
        .then((marks) => {
          const hasSome = marks && (marks.states.length > 0 || marks.segmentations.some(isDrawnByUs))
          if (hasSome && mine === turn) tell({ ...NOTHING, remarks: [remark] })
        })
    },
    forget,
    forgetView: () => {
      isFresh ||= !isSettling && view !== undefined
    },
    again: () => void draw(),
    shown: () => shown,
  }
}

/** OHIF draws segmentations in bits, once somebody loads them there. */
function isDrawnByUs({ kind }: Segmentation): boolean {
  return kind !== 'bits'
}

function instanceOf(imageId: string | undefined): NaturalInstance | undefined {
  if (imageId === undefined) return undefined
  return window.cornerstone?.metaData.get('instance', imageId) as NaturalInstance | undefined
}

/** Undefined where nothing can lie over the image, or its series does not answer, as OHIF itself tells. */
async function findImage(
  study: WholeStudy,
  imageId: string,
  instance: NaturalInstance,
): Promise<FoundImage | undefined> {
  const marks = (await study.readMarks()) ?? NO_MARKS
  const hasMarks = marks.states.length > 0 || marks.segmentations.some(isDrawnByUs)
  if (!hasMarks && !mayHoldLayers(instance)) return undefined
  const sopUid = String(instance['SOPInstanceUID'])
  const series = await study.instancesOf(String(instance['SeriesInstanceUID'])).catch(() => undefined)
  const whole = series?.get(sopUid)
  const frame = Number(/\/frames\/(\d+)/.exec(imageId)?.[1] ?? 1)
  return whole && { image: { instance: whole, sopUid, frame, framesPerSecond: 1 }, marks }
}

/** The server stretches its own pictures of pixels that are not square: planes would lie elsewhere on them. */
function isAsLarge({ width, height }: { width: number; height: number }, instance: NaturalInstance): boolean {
  return Number(instance['Columns']) === width && Number(instance['Rows']) === height
}
