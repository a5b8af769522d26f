import type { Study } from '@hilum/contract/entities/study'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { checkDownload, downloadAddress } from '../../api/storage.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { deriveSid } from '../../queries/derived-sid.ts'
import { failureText } from './act-failure.tsx'

/** What a download holds: with the corrections of people, or byte for byte as it came. */
export type DownloadKind = 'corrected' | 'received'

export interface StartedDownloads {
  addresses: readonly string[]
  /** Bytes of all of them together. */
  bytes: number
  /** Those that the server would not make, and why. */
  refused: readonly { study: Study; failure: unknown }[]
}

/**
 * Makes the addresses of downloads. Each is asked for first: what fails inside a hidden frame nobody would see.
 * @throws ApiFailure when no sid can be had for them
 */
export async function startDownloads(studies: readonly Study[], kind: DownloadKind): Promise<StartedDownloads> {
  const isAsReceived = kind === 'received'
  const sid = await deriveSid(studies.map(({ uuid }) => uuid))
  const addresses: string[] = []
  const refused: { study: Study; failure: unknown }[] = []
  let bytes = 0
  for (const study of studies) {
    const address = downloadAddress(study, sid, isAsReceived)
    try {
      bytes += await checkDownload(address)
      addresses.push(address)
    } catch (failure) {
      refused.push({ study, failure })
    }
  }
  return { addresses, bytes, refused }
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
