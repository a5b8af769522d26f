import { type SplitObstacle, splitObstacles, undoObstacles } from '@hilum/contract/calls/study-split'
import { type ApiFailure, failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
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

/** Why images were not put back. */
export function undoFailureText(failure: unknown): string {
  const named =
    failureCode(failure) === 'NOT_AVAILABLE' && undoObstacles.find((one) => one === (failure as ApiFailure).subtype) // its code says that it is one
  return named ? `${t('split.noUndo')} ${t(`split.undo.${named}`)}` : failureText(failure)
}
