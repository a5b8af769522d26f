import { studyDelete } from '@hilum/contract/calls/study-acts'
import { studyShare, studyShareAccess } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { mayCall, partOf } from '../../session/use-may.ts'
import { mayGiveFiles } from './may-give-files.ts'

/** Whether the role permits a move of a study to a group: to share it with its files, to see the share, and to delete it here. */
export function mayMove(study: Study): boolean {
  const { permissions, attachment_count: files } = study
  const mayShare = mayCall(partOf(studyShare, 'group'), permissions) && mayCall(studyShareAccess, permissions)
  return (
    mayShare &&
    mayCall(studyDelete, permissions) &&
    (files === 0 || study.is_deidentified === 1 || mayGiveFiles([study]))
  )
}

/** Obstacle to a move of a study, whatever the role. */
export function reasonToStay({
  nomination,
  ...study
}: Study): 'arriving' | 'decided' | 'nominated' | 'nameless' | undefined {
  if (study.is_deidentified === 1) return 'nameless'
  if (study.arrival !== 'complete') return 'arriving'
  if (nomination?.side === 'gate') return 'decided'
  return nomination && ['nominated', 'queued'].includes(nomination.state) ? 'nominated' : undefined
}
