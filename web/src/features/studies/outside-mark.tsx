import type { Study } from '@hilum/contract/entities/study'
import { outsideMrn } from '../../queries/outside-mrn.ts'
import { IconIdOff } from '../../ui/icons.ts'

interface OutsideMarkProps {
  study: Pick<Study, 'mrn_outside' | 'issuer'>
  className?: string | undefined
}

/** Beside an MRN that is not of this organisation: the same number may be another person's here. */
export function OutsideMark({ study, className }: OutsideMarkProps) {
  const words = outsideMrn(study)
  if (!words) return null
  return (
    <span role="img" aria-label={words} title={words} className={className}>
      <IconIdOff size={14} />
    </span>
  )
}
