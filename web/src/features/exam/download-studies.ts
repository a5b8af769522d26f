import type { Study } from '@hilum/contract/entities/study'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { checkDownload, downloadAddress } from '../../api/storage.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { deriveSid } from '../../queries/derived-sid.ts'
import { failureText } from './act-failure.tsx'

/** Files of a download: with the corrections of people, or byte for byte as they came. */
export type DownloadKind = 'corrected' | 'received'

export interface StartedDownload {
  study: Study
  kind: DownloadKind
  /** Names it among the jobs of which the server tells how far they are. */
  jobId: string
  address: string
  bytes: number
}

export interface StartedDownloads {
  files: readonly StartedDownload[]
  /** Studies without a download, and why. */
  refused: readonly { study: Study; failure: unknown }[]
}

/**
 * Makes the addresses of downloads. Each is asked for first: what fails inside a hidden frame nobody would see.
 * @throws ApiFailure when no sid can be had for them
 */
export async function startDownloads(studies: readonly Study[], kind: DownloadKind): Promise<StartedDownloads> {
  const isAsReceived = kind === 'received'
  const sid = await deriveSid(studies.map(({ uuid }) => uuid))
  const files: StartedDownload[] = []
  const refused: { study: Study; failure: unknown }[] = []
  for (const study of studies) {
    const jobId = newJobId()
    const address = downloadAddress(study, sid, { isAsReceived, jobId })
    try {
      files.push({ study, kind, jobId, address, bytes: await checkDownload(address) })
    } catch (failure) {
      refused.push({ study, failure })
    }
  }
  return { files, refused }
}

/** Not by `randomUUID`, which there is over https alone. */
function newJobId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Why a study is not downloaded; images of several patients cannot all be corrected to one. */
export function refusalText({ study, failure }: StartedDownloads['refused'][number]): string {
  if (failure instanceof ApiFailure && failure.status === 409) return t('download.mixed')
  if (study.image_count === 0) return t('download.noImages')
  return failureCode(failure) === 'HTTP_ERROR' ? t('download.failed') : failureText(failure)
}

/** The same with the patient's name before it, for a list of several. */
export function refusalLine(refusal: StartedDownloads['refused'][number]): string {
  const name = nameText(refusal.study.patient_name) || t('card.noName')
  return t('delete.failedItem', { name, reason: refusalText(refusal) })
}
