import { requestFaultWords } from './fault-words.ts'
import { RequestError } from './request-error.ts'
import { texts } from './texts.ts'

/**
 * Says why a study or a series did not come, with another try where that may help.
 * @throws the error itself where it is none of a request
 */
export function sayFault(say: (text: string, wayOn?: () => void) => void, error: unknown, again: () => void): void {
  if (!(error instanceof RequestError)) {
    say(texts.notStarted)
    throw error
  }
  const mayHelp = error.fault === 'unreachable' || error.fault === 'failed'
  say(requestFaultWords[error.fault], mayHelp ? again : undefined)
}
