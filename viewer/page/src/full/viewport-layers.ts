import { jsonTextOf } from '../dicom-json.ts'
import type { FullSwitches } from '../full-switches.ts'
import type { PresentationState } from '../presentation-state.ts'
import type { EnabledViewport, StackViewport } from './ohif.ts'
import type { LeftBehind } from './stage-view.ts'
import { createViewportStage, type ViewportStage } from './viewport-stage.ts'
import type { WholeStudy } from './whole-studies.ts'

/** Events of the drawing library, which reach the element of a viewport and do not bubble. */
const RENDERED = 'CORNERSTONE_IMAGE_RENDERED'
const NEW_STACK = 'CORNERSTONE_VIEWPORT_NEW_IMAGE_SET'

/**
 * Draws over OHIF's stacks of images as the quick viewer does: overlay planes, label maps and fractional segmentations, and
 * the chosen presentation state. OHIF itself sees the last overlay plane alone, and none of the others. Segmentations in bits
 * are OHIF's own. Slices that OHIF makes anew (MPR) have nothing drawn over them, and a remark says so.
 */
export function drawOverViewports(studyOf: (studyUid: string) => WholeStudy, switches: FullSwitches): void {
  const stages = new Map<HTMLElement, ViewportStage>()
  const leftBehind: LeftBehind = { isAny: false }

  function stageOf(element: HTMLElement): ViewportStage {
    const known = stages.get(element)
    if (known) return known
    const made = createViewportStage(element, studyOf, switches, leftBehind, tellShown)
    stages.set(element, made)
    return made
  }

  function tellShown(): void {
    for (const element of stages.keys()) if (!element.isConnected) stages.delete(element)
    const shown = [...stages.values()].map((stage) => stage.shown())
    switches.onShown({
      hasLayers: shown.some(({ hasLayers }) => hasLayers),
      states: listStates(
        shown.flatMap(({ states }) => states),
        switches.state,
      ),
      remarks: [...new Set(shown.flatMap(({ remarks }) => remarks))],
    })
  }

  hear(RENDERED, (element, viewport) => {
    if (isStack(viewport)) stageOf(element).follow(viewport)
    else stageOf(element).leave(viewport)
  })
  hear(NEW_STACK, (element) => stages.get(element)?.forget())
  switches.onTurned = () => {
    for (const stage of stages.values()) stage.again()
  }
}

/** States to choose from, in an order that no choice changes: the keys of a list count on it. */
export function listStates(
  shown: readonly PresentationState[],
  chosen: PresentationState | undefined,
): PresentationState[] {
  const sopUidOf = ({ instance }: PresentationState) => jsonTextOf(instance, '00080018')
  const byUid = new Map([...shown, ...(chosen ? [chosen] : [])].map((state) => [sopUidOf(state), state] as const))
  return [...byUid.values()].sort(
    (one, other) =>
      one.label.localeCompare(other.label, 'en', { numeric: true }) || sopUidOf(one).localeCompare(sopUidOf(other)),
  )
}

function isStack(viewport: EnabledViewport): viewport is StackViewport {
  return viewport.type === 'stack'
}

function hear(name: string, handle: (element: HTMLElement, viewport: EnabledViewport) => void): void {
  document.addEventListener(
    name,
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      const viewport = window.cornerstone?.getEnabledElement(target as HTMLDivElement)?.viewport
      if (viewport) handle(target, viewport)
    },
    { capture: true },
  )
}
