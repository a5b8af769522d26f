import { clientHeaders } from '@hilum/contract/client-headers'

const LIMIT_MS = 60_000

/** By status: why measurements were not kept. Where the server says a reason, the reason follows. */
const REASONS: Readonly<Record<number, string>> = {
  401: 'This view has ended. Close it and open the study again; what was measured here is lost with it.',
  403: 'Keeping measurements takes the right to upload.',
  404: 'The study is not here any more, or keeping measurements takes a right that you do not have.',
  413: 'The report is too large.',
}

/** Measurements were not kept; the words are for the screen. */
export class NotStoredError extends Error {}

/** Stores reports of measurements as instances of their study. The error that it throws is shown as it is. */
export function createMeasurementStore(sid: string, measurementsOf: (studyUid: string) => string) {
  return async (report: ArrayBuffer, studyUid: string | undefined): Promise<void> => {
    if (studyUid === undefined) throw new NotStoredError('The measurements were not saved: they name no study.')
    const response = await fetch(measurementsOf(studyUid), {
      method: 'POST',
      headers: { ...clientHeaders(sid), 'content-type': 'application/dicom' },
      body: report,
      credentials: 'omit',
      signal: AbortSignal.timeout(LIMIT_MS),
    }).catch((cause: unknown) => {
      throw new NotStoredError('The measurements were not saved: the server could not be reached. Try again.', {
        cause,
      })
    })
    if (response.ok) return
    const reason = REASONS[response.status] ?? (await reasonOf(response))
    throw new NotStoredError(`The measurements were not saved. ${reason}`)
  }
}

async function reasonOf(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => undefined)
  const isExplained = typeof answer === 'object' && answer !== null && 'error' in answer
  return isExplained && typeof answer.error === 'string'
    ? `${answer.error}.`
    : 'Something failed on the server. Try again.'
}
