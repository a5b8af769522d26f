import { type RejectionCode, rejectionCodes } from '@hilum/contract/rejection-codes'
import { t } from '../../labels/label.ts'

/** A coded reason with its code, as IOCM names it. */
export function rejectionCodeText(code: string): string {
  const meaning = Object.hasOwn(rejectionCodes, code) ? t(`process.rejectCode.${code as RejectionCode}`) : code
  return t('nomination.code', { meaning, code })
}
