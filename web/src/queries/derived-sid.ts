import { sessionDerive } from '@hilum/contract/calls/session'
import { callApi } from '../api/call-api.ts'

/** A read-only sid for these studies that may stand in an address; it dies with the session. */
export async function deriveSid(studyUuids: readonly string[], signal?: AbortSignal): Promise<string> {
  const { sid } = await callApi(sessionDerive, { studies: [...studyUuids] }, { signal })
  return sid
}
