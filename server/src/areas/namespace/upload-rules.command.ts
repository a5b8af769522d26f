import { readShareSettings } from '@hilum/contract/share-settings'
import type { Db } from '../../db/database.ts'
import { listSettings } from '../setting/setting.sql.ts'

/** Upload rules of an account, which a namespace may set otherwise, and what holds without either. */
const defaults = { enable_dicom_wrapping: '0', enable_dicomdir_scan: '1', enable_multipart_uploader: '1' }

/** Rules by which a place takes uploads: its own settings go before those of the account. */
interface UploadRules {
  /** Pictures, documents and other files besides DICOM (`enable_dicom_wrapping`). */
  takesFiles: boolean
  settings: Record<string, string> & typeof defaults
}

export async function findUploadRules(
  db: Db,
  place: { account_uuid: string; namespace_uuid: string; share_settings: unknown },
): Promise<UploadRules> {
  const settings = {
    ...defaults,
    ...(await listSettings(db, 'account', place.account_uuid)),
    ...(await listSettings(db, 'namespace', place.namespace_uuid)),
  }
  const { takesFiles } = readShareSettings(place.share_settings)
  return { takesFiles: takesFiles ?? settings.enable_dicom_wrapping === '1', settings }
}
