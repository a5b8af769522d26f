import { t } from '../../labels/label.ts'
import { ExamGuard } from './exam-guard.tsx'

/** Asks before lengths measured in the viewer are lost. */
export function LengthsGuard({ count }: { count: number }) {
  return <ExamGuard isDirty text={t('viewer.openLengths', { count })} />
}
