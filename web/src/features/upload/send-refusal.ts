import { sessionTtl } from '@hilum/contract/calls/session'
import { ApiFailure } from '../../api/api-failure.ts'
import { callApi } from '../../api/call-api.ts'
import { reportRefused } from '../../api/credentials.ts'
import { isLoginPage } from '../../api/is-login-page.ts'
import { sendFaultOf, SendFault } from './send-fault.ts'
import type { FileReply, SendTerms } from './send-file.ts'

/** The fault behind the storage's refusal of a file of somebody who is signed in. */
export async function refusalOf({ status, body }: FileReply, terms: SendTerms): Promise<SendFault> {
  if (isLoginPage(status, body)) return sendFaultOf(status, body)
  if (status === 403 && !(await isSessionAlive(terms))) return new SendFault('signed-out', status)
  if (status === 401) reportRefused(terms.sid)
  return sendFaultOf(status, body)
}

/** The storage answers 403 to a dead session as to a missing permission, so that neither tells of foreign studies. */
async function isSessionAlive({ sid, signal }: SendTerms): Promise<boolean> {
  try {
    await callApi(sessionTtl, {}, { sid, signal })
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ApiFailure && ['EXPIRED', 'UNAUTHORIZED'].includes(error.code))) return true
    reportRefused(sid)
    return false
  }
}
