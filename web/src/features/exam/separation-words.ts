import { type MergeObstacle, mergeObstacles } from '@hilum/contract/calls/study-merge'
import {
  type Separation,
  type SplitObstacle,
  splitObstacles,
  type UndoObstacle,
  undoObstacles,
} from '@hilum/contract/calls/study-split'
import { type ApiFailure, failureCode } from '../../api/api-failure.ts'
import { hasLabel, t } from '../../labels/label.ts'
import { failureText } from './act-failure.tsx'

/** Whatever is in the way of a separation, and the way out. */
export const obstacleText = (obstacle: SplitObstacle): string => t(`split.obstacle.${obstacle}`)

/** Why images were not separated. */
export function splitFailureText(failure: unknown): string {
  const code = failureCode(failure)
  if (code === 'LOCKED') return obstacleText('locked')
  if (code === 'RUNNING') return obstacleText('running')
  if (code === 'STALE') return t('split.stale')
  if (code === 'INVALID_FIELD') return t('split.cannotHold')
  const named = code === 'NOT_AVAILABLE' && splitObstacles.find((one) => one === (failure as ApiFailure).subtype) // its code says that it is one
  return named ? obstacleText(named) : failureText(failure)
}

/** Whatever keeps a separation or a merge from being undone. */
export function undoObstacleText(kind: Separation['kind'], obstacle: UndoObstacle): string {
  const ofMerge = `merge.undo.${obstacle}`
  return t(kind === 'merge' && hasLabel(ofMerge) ? (ofMerge as 'merge.undo.edited') : `split.undo.${obstacle}`) // all of them are without slots
}

/** Why images were not put back. */
export function undoFailureText(kind: Separation['kind'], failure: unknown): string {
  const named =
    failureCode(failure) === 'NOT_AVAILABLE' && undoObstacles.find((one) => one === (failure as ApiFailure).subtype) // its code says that it is one
  return named ? `${t('split.noUndo')} ${undoObstacleText(kind, named)}` : failureText(failure)
}

/** Why two exams were not merged. */
export function mergeFailureText(failure: unknown): string {
  const code = failureCode(failure)
  if (code === 'LOCKED') return obstacleText('locked')
  if (code === 'RUNNING') return obstacleText('running')
  if (code === 'STALE') return t('merge.stale')
  const named = code === 'NOT_AVAILABLE' && mergeObstacles.find((one) => one === (failure as ApiFailure).subtype) // its code says that it is one
  return named ? mergeObstacleText(named) : failureText(failure)
}

/** Whatever is in the way of a merge, and the way out. */
export function mergeObstacleText(obstacle: MergeObstacle): string {
  const own = `merge.obstacle.${obstacle}`
  return t(hasLabel(own) ? (own as 'merge.obstacle.empty') : `split.obstacle.${obstacle as SplitObstacle}`) // all of them are without slots
}
