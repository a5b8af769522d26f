import type { Study } from '@hilum/contract/entities/study'
import { attachmentVersion } from '@hilum/contract/routes/storage-attachments'
import { mayCall } from '../../session/use-may.ts'

/** Whether the attached files of all these studies may be given away; those of a copy without names stay. */
export function mayGiveFiles(studies: readonly Study[]): boolean {
  return studies.every((one) => one.is_deidentified === 0 && mayCall(attachmentVersion, one.permissions))
}
