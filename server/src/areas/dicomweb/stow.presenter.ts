import { DUPLICATE_COMMENT } from '@hilum/contract/arrival-texts'
import type { DicomJson } from '@hilum/dicom/json'
import { STORED_WITH_WARNING, arrivalWarning } from '../ingest/arrival-warning.ts'
import { failureReasons, type StoredPart } from './store-instances.command.ts'

const defaultRetrySeconds = 30

interface StoredAnswer {
  status: number
  /** Where nothing was stored for want of resources: when to send again. */
  retrySeconds: number | undefined
  json: DicomJson
}

/**
 * The answer to a store request: what was stored, what was not and why; the reasons also in words, as Error Comment.
 * @param address of the namespace, e.g. `https://hilum.example/dicomweb/{namespace}`
 * Source: PS3.18 §10.5.3, Annex I.
 */
export function presentStored(results: readonly StoredPart[], address: string): StoredAnswer {
  const stored = results.filter((one) => one.kind === 'stored')
  const failed = results.filter((one) => one.kind === 'failed')
  const studies = new Set(stored.map((one) => one.studyUid))
  const [study] = studies
  const named = failed.filter((one) => one.sopUid !== undefined)
  const unnamed = failed.filter((one) => one.sopUid === undefined)
  const status = statusOf(stored, failed)
  return {
    status,
    retrySeconds:
      status === 503 ? Math.max(...failed.map((one) => one.retrySeconds ?? defaultRetrySeconds)) : undefined,
    json: {
      ...(studies.size === 1 && study ? { '00081190': text('UR', `${address}/studies/${study}`) } : {}),
      ...(named.length > 0 ? { '00081198': sequence(named.map(presentFailure)) } : {}),
      ...(stored.length > 0 ? { '00081199': sequence(stored.map((one) => presentReference(one, address))) } : {}),
      ...(unnamed.length > 0 ? { '0008119A': sequence(unnamed.map(presentFailure)) } : {}),
    },
  }
}

type Stored = Extract<StoredPart, { kind: 'stored' }>
type Failed = Extract<StoredPart, { kind: 'failed' }>

function statusOf(stored: readonly Stored[], failed: readonly Failed[]): number {
  if (failed.length === 0) return stored.some((one) => arrivalWarning(one)) ? 202 : 200
  if (stored.length > 0) return 202
  return failed.every((one) => one.failureReason === failureReasons.outOfResources) ? 503 : 409
}

function presentReference(one: Stored, address: string): DicomJson {
  const { studyUid, seriesUid, sopUid, sopClass, isDuplicate } = one
  const warning = arrivalWarning(one)
  const comment = warning ?? (isDuplicate ? DUPLICATE_COMMENT : undefined)
  return {
    ...(comment ? { '00000902': text('LO', comment) } : {}),
    '00081150': text('UI', sopClass),
    '00081155': text('UI', sopUid),
    '00081190': text('UR', `${address}/studies/${studyUid}/series/${seriesUid}/instances/${sopUid}`),
    ...(warning ? { '00081196': { vr: 'US', Value: [STORED_WITH_WARNING] } } : {}),
  }
}

function presentFailure({ failureReason, reason, sopUid, sopClass }: Failed): DicomJson {
  return {
    '00000902': text('LO', reason.slice(0, 64)),
    ...(sopClass ? { '00081150': text('UI', sopClass) } : {}),
    ...(sopUid ? { '00081155': text('UI', sopUid) } : {}),
    '00081197': { vr: 'US', Value: [failureReason] },
  }
}

function text(vr: string, value: string) {
  return { vr, Value: [value] }
}
function sequence(items: DicomJson[]) {
  return { vr: 'SQ', Value: items }
}
