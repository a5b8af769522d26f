import type { Study } from '@hilum/contract/entities/study'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { randomKey } from '../../api/random-key.ts'
import { checkDownload, downloadAddress } from '../../api/storage.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { deriveSid } from '../../queries/derived-sid.ts'
import { failureText } from './act-failure.tsx'

/** Files of a download: with the corrections of people, or byte for byte as they came. */
export type DownloadKind = 'corrected' | 'received'

export interface StartedDownload {
  /** In one file; several where they were asked for together. */
  studies: readonly [Study, ...Study[]]
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
  const sid = await deriveSid(studies.map(({ uuid }) => uuid))
  const files: StartedDownload[] = []
  const refused: { study: Study; failure: unknown }[] = []
  for (const study of studies) {
    try {
      files.push(await startOne([study], kind, sid))
    } catch (failure) {
      refused.push({ study, failure })
    }
  }
  return { files, refused }
}

/**
 * Makes the address of one ZIP of several studies. Studies that cannot come along are left out, each with its reason.
 * @throws ApiFailure when no sid can be had for them, or when the archive as a whole is refused
 */
export async function startTogether(studies: readonly Study[], kind: DownloadKind): Promise<StartedDownloads> {
  const [first, ...others] = studies
  if (!first) return { files: [], refused: [] }
  const sid = await deriveSid(studies.map(({ uuid }) => uuid))
  const whole = await startOne([first, ...others], kind, sid).catch((failure: unknown) => failure)
  if (isStarted(whole)) return { files: [whole], refused: [] }
  const alone = await startDownloads(studies, kind)
  if (alone.refused.length === 0) throw whole
  const [left, ...more] = alone.files.flatMap((file) => file.studies)
  return { files: left ? [await startOne([left, ...more], kind, sid)] : [], refused: alone.refused }
}

function isStarted(outcome: unknown): outcome is StartedDownload {
  return typeof outcome === 'object' && outcome !== null && 'jobId' in outcome
}

/** @throws ApiFailure with the status of the refusal */
async function startOne(
  studies: readonly [Study, ...Study[]],
  kind: DownloadKind,
  sid: string,
): Promise<StartedDownload> {
  const [first, ...others] = studies
  const jobId = randomKey()
  const address = downloadAddress(first, sid, { isAsReceived: kind === 'received', jobId, others })
  return { studies, kind, jobId, address, bytes: await checkDownload(address) }
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
