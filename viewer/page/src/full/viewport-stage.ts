import type { Types } from '@cornerstonejs/core'
import { element as make } from '../element.ts'
import type { FullSwitches, ShownInFull } from '../full-switches.ts'
import { overlaysOf } from '../hard-images.ts'
import { createLegend } from '../legend.ts'
import { speaksOf } from '../presentation-state.ts'
import { createRetry } from '../retry.ts'
import { segmentsOn } from '../segmentation.ts'
import { createStackLayers } from '../stack-layers.ts'
import { structuresOn } from '../structure-set.ts'
import { texts } from '../texts.ts'
import { isSentence } from './drawn-sentence.ts'
import { findWholeImage, instanceOf, isDrawnByUs } from './whole-image.ts'
import { fitPresentation, hasStoredUnits, isAsLarge } from './fit-presentation.ts'
import { remarksOn } from './image-remarks.ts'
import { hasUndrawn } from './made-slices.ts'
import type { EnabledViewport, StackViewport } from './ohif.ts'
import { createStageView, type LeftBehind } from './stage-view.ts'
import type { WholeStudy } from './whole-studies.ts'

/** Everything that lies over the images of one place of OHIF. */
export type ViewportStage = {
  /** Draws over the image that the viewport shows now. */
  follow: (viewport: StackViewport) => void
  /** Draws nothing; a remark stands where OHIF makes slices anew of images that have something to draw. */
  leave: (viewport: EnabledViewport) => void
  /** Another stack of images has come. */
  forget: () => void
  /** Draws anew by the switches. */
  again: () => void
  shown: () => ShownInFull
}

const NOTHING: ShownInFull = { hasLayers: false, states: [], remarks: [] }

type Layers = ReturnType<typeof createStackLayers> & { root: HTMLElement; study: WholeStudy }

/** @param handleShown is called when other images are shown, or other things lie over them */
export function createViewportStage(
  element: HTMLElement,
  studyOf: (studyUid: string) => WholeStudy,
  switches: FullSwitches,
  leftBehind: LeftBehind,
  handleShown: () => void,
): ViewportStage {
  let viewport: StackViewport | undefined
  let layers: Layers | undefined
  /** The image on the screen: while the next one loads, the viewport names that already. */
  let shownImage: Types.IImage | undefined
  let left: EnabledViewport | undefined
  let isLeftLookedAt = false
  let turn = 0
  let shown = NOTHING
  const legend = createLegend()
  const view = createStageView(leftBehind, () => {
    shownImage = undefined
  })
  const retry = createRetry(() => {
    if (element.isConnected && viewport) void draw()
  })

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
    const drawing = ++turn
    void layers?.show(undefined, undefined)
    legend.show([])
    const [drawnIn, drawn] = [viewport, shownImage]
    const instance = instanceOf(drawn?.imageId)
    if (drawnIn && drawn && !instance) view.settle(drawnIn, undefined, undefined)
    if (!drawnIn || !drawn || !instance) return tell(NOTHING)
    // while another stack loads, nothing of this image belongs to the viewport
    const isOver = () => drawing !== turn || !drawnIn.getImageIds().includes(drawn.imageId)
    const study = studyOf(String(instance['StudyInstanceUID']))
    const { image, marks, isWhole: isFound } = await findWholeImage(study, drawn.imageId, instance)
    if (isOver()) return
    const states = marks.states.filter(({ seriesUids }) => seriesUids.includes(String(instance['SeriesInstanceUID'])))
    if (!image) {
      view.settle(drawnIn, undefined, undefined)
      if (!isFound) retry.later()
      return tell({ ...NOTHING, states, remarks: isFound ? [] : [texts.layersUnread] })
    }
    const { state } = switches
    const hasPixels = !isSentence(drawn)
    const isPicture = hasPixels && isAsLarge(drawn, instance)
    const segmentations = marks.segmentations.filter(isDrawnByUs)
    const { structureSets } = marks
    const drawnOver = layersOf(study)
    drawnOver.setOn(switches.isOn)
    drawnOver.setMarks({ segmentations, structureSets, state })
    const curve = isPicture && !drawn.color ? await drawnOver.readCurve(image) : undefined
    if (isOver()) return
    const fitted = fitPresentation(drawnOver.presentationOf(image), drawn, instance)
    view.settle(drawnIn, fitted.presentation, curve && !hasStoredUnits(drawn) ? 'unread' : curve)
    const areLayersWhole = await drawnOver.show(image, isPicture ? drawn : undefined)
    if (isOver()) return
    const isWhole = isFound && areLayersWhole
    if (isWhole) retry.end()
    else retry.later()
    const segments = [
      ...segmentsOn(segmentations, image).flatMap((one) => one.segments),
      ...structuresOn(structureSets, image),
    ]
    legend.show(switches.isOn && isPicture ? [...new Set(segments)] : [])
    const isChosen = state !== undefined && speaksOf(state, image)
    const hasSome = overlaysOf(image.instance).length > 0 || segments.length > 0 || isChosen
    const remarks = remarksOn({
      ...fitted,
      isWhole,
      isChosen,
      areTablesDrawn: view.areTablesDrawn(),
      isStretched: hasPixels && !isPicture && hasSome,
    })
    tell({ hasLayers: isPicture && hasSome, states, remarks })
  }

  function forget(): void {
    turn++
    shownImage = undefined
    view.forget()
    retry.end()
  }

  return {
    follow: (next) => {
      if (next !== viewport) {
        forget()
        view.hear(next)
      }
      left = undefined
      viewport = next
      const now = next.getCornerstoneImage()
      if (now === shownImage) return layers?.place()
      shownImage = now
      retry.end()
      void draw()
    },
    leave: (other) => {
      if (left !== other) {
        left = other
        isLeftLookedAt = false
        viewport = undefined
        forget()
        void draw()
      }
      if (isLeftLookedAt) return
      isLeftLookedAt = true
      const drawing = turn
      void hasUndrawn(other, studyOf).then((answer) => {
        if (drawing !== turn) return
        isLeftLookedAt = answer !== 'unknown'
        if (answer === true) tell({ ...NOTHING, remarks: [texts.fullNotOnMadeSlices] })
      })
    },
    forget,
    again: () => {
      if (!left) void draw()
    },
    shown: () => shown,
  }
}
