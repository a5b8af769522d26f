import { recipientKinds, studyShareStop } from '@hilum/contract/calls/study-share'
import type { InputOf } from '@hilum/contract/call'
import { ApiFailure } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'

/** Ends a share; one that somebody else ended a moment before is ended as well. */
export async function stopShare(input: InputOf<typeof studyShareStop>): Promise<void> {
  try {
    await callApi(studyShareStop, input)
  } catch (failure) {
    if (!isShareGone(failure)) throw failure
  }
}

/** Fields of `study/share/stop` that name the recipient. */
const recipientFields: readonly string[] = [
  ...recipientKinds.map((kind) => `${kind}_id`),
  'user_invite_share_id',
  'share_code',
]

/** Whether the server knows no such share any more: it names the recipient then, and nothing where the study is gone. */
export function isShareGone(failure: unknown): boolean {
  return (
    failure instanceof ApiFailure && failure.code === 'NOT_FOUND' && recipientFields.includes(String(failure.subtype))
  )
}
