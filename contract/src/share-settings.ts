import { mostUploadMegabytes } from './limits.ts'

/** How a group or location takes in what outsiders send: its `share_settings` on the wire, of which these keys are known here. */
export interface ShareSettings {
  /** Pictures, PDF and other files beside DICOM; undefined where the organisation's setting holds. */
  takesFiles: boolean | undefined
  /** Studies that come by the share code wait for approval, unless the setting was switched off. */
  mustApprove: boolean
  /** Anybody who knows the share code may upload without a login. */
  takesUploads: boolean
  /** Senders say that they have looked at what they send. */
  confirms: boolean
  /** Megabytes that the share code stores in 24 hours; undefined where the organisation's setting holds. */
  megabytes: number | undefined
}

/** Reads settings as they are kept; what cannot be read is as if it were not set. */
export function readShareSettings(stored: unknown): ShareSettings {
  const read = (key: string): boolean | undefined => {
    const value = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>)[key] : undefined // compared below
    if (value === 1 || value === '1' || value === true) return true
    return value === 0 || value === '0' || value === false ? false : undefined
  }
  return {
    takesFiles: read('enable_dicom_wrapping'),
    mustApprove: read('must_approve') ?? true,
    takesUploads: read('takes_uploads') ?? false,
    confirms: read('confirm_before_upload') ?? false,
    megabytes: readMegabytes(stored),
  }
}

function readMegabytes(stored: unknown): number | undefined {
  const value =
    typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>)['max_megabytes'] : undefined // checked below
  const number = typeof value === 'string' ? Number(value) : value
  const isGood = typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= mostUploadMegabytes
  return isGood ? number : undefined
}

/** The keys that settings are kept under. */
export function writeShareSettings({ takesFiles, mustApprove, takesUploads, confirms, megabytes }: ShareSettings) {
  const flag = (isOn: boolean) => (isOn ? 1 : 0)
  return {
    ...(takesFiles === undefined ? {} : { enable_dicom_wrapping: flag(takesFiles) }),
    must_approve: flag(mustApprove),
    takes_uploads: flag(takesUploads),
    confirm_before_upload: flag(confirms),
    ...(megabytes === undefined ? {} : { max_megabytes: megabytes }),
  }
}

/** The person who let everybody with the code upload, kept beside the settings by the server alone. */
export const uploadsByKey = 'takes_uploads_by'
