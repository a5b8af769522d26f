import { ApiError } from '@hilum/contract/errors'
import type { shareStudy } from './share-study.command.ts'

/** @throws ApiError SHARE_FAILED, PHANTOM, NOT_FOUND, NOT_PERMITTED or NOT_READY for a share that was not made */
export function demandShared(done: Awaited<ReturnType<typeof shareStudy>>): void {
  if (done.kind === 'refused')
    throw new ApiError('SHARE_FAILED', { subtype: done.failure, data: { reasons: done.reasons } })
  if (done.kind === 'mixed') throw new ApiError('NOT_READY', { subtype: 'mixed_patients' })
  if (done.kind === 'phantom') throw new ApiError('PHANTOM')
  if (done.kind === 'gone') throw new ApiError('NOT_FOUND')
  if (done.kind === 'frozen') throw new ApiError('NOT_PERMITTED', { subtype: 'frozen' })
  if (done.kind === 'awaitsApproval') throw new ApiError('NOT_PERMITTED', { subtype: 'must_approve' })
}
