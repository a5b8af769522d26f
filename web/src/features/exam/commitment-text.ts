import type { Nomination, Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'

type CommitmentFacts = Pick<Nomination | Study['study_push_status'][number], 'commitment' | 'commitment_reason'>

/** A destination's answer about the storage of the images that it took, with its numbers. */
export function commitmentText({ commitment, commitment_reason: reason }: CommitmentFacts): string {
  if (commitment === null) return ''
  const text = t(`pacs.commitment.${commitment}`)
  return reason ? `${text} ${reason}` : text
}
