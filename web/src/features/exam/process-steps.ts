import type { InboxConfig } from '@hilum/contract/inbox-config'
import type { Nomination } from '@hilum/contract/entities/study'

type ProcessMode = InboxConfig['pacs_promote_preference']
type ProcessStep = 'nomination' | 'searchOrder' | 'searchPatient' | 'comparison'

/** PROCESS-03; rejection is reached from the first step of every mode. */
const steps: Record<ProcessMode, readonly ProcessStep[]> = {
  MWL: ['nomination', 'searchOrder', 'comparison'],
  CFIND: ['nomination', 'searchPatient', 'comparison'],
  NONE: ['nomination', 'comparison'],
}

export function stepsOf(mode: ProcessMode): readonly ProcessStep[] {
  return steps[mode]
}

/** The step so many further on or back, and at the ends no further (PROCESS-04). */
export function moveStep(mode: ProcessMode, at: number, by: number): number {
  return Math.min(Math.max(at + by, 0), steps[mode].length - 1)
}

/** PROCESS-18 */
type QueueStatus = 'none' | 'queued' | 'successful' | 'rejected' | 'failed'

export function queueStatus(nomination: Nomination | undefined): QueueStatus {
  if (!nomination || nomination.state === 'nominated') return 'none'
  return nomination.state === 'completed' ? 'successful' : nomination.state
}

/**
 * CONST-06: width and height of the tables in pixels, where there is room. A table grows rather than hide a row: a
 * difference out of sight is a difference that nobody sees.
 */
const tableSizes = {
  ordered: [582, 284],
  withoutQuery: [582, 158],
  demographics: [583, 284],
  nomination: [597, 310],
} as const satisfies Record<string, readonly [width: number, height: number]>

export function sizeStyle(size: keyof typeof tableSizes): { width: string; minHeight: string } {
  const [width, height] = tableSizes[size]
  return { width: `min(${width}px, 100%)`, minHeight: `${height}px` }
}
