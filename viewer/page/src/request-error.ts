/** Why nothing came, for a sentence on the screen. */
type RequestFault = 'ended' | 'gone' | 'unreachable' | 'failed'

export class RequestError extends Error {
  readonly fault: RequestFault
  /** Why the server gives no picture, in its words for people. */
  readonly reason: string | undefined
  constructor(fault: RequestFault, cause?: unknown, reason?: string) {
    super(`request ${fault}`, { cause })
    this.fault = fault
    this.reason = reason
  }
}

export function faultOfStatus(status: number): RequestFault {
  if (status === 401 || status === 403) return 'ended'
  return status === 404 || status === 410 ? 'gone' : 'failed'
}

/** The server's words for an image without a picture. */
export async function reasonOf(response: Response): Promise<string | undefined> {
  if (response.status !== 406) return undefined
  const answer: unknown = await response.json().catch(() => undefined)
  const isExplained = typeof answer === 'object' && answer !== null && 'error' in answer
  return isExplained && typeof answer.error === 'string' ? answer.error : undefined
}
