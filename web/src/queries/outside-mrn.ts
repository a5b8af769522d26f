import type { Study } from '@hilum/contract/entities/study'
import { t } from '../labels/label.ts'

/** "Outside MRN (issuer)" where another organisation gave the number, or nobody knows who did; else empty. */
export function outsideMrn({ mrn_outside, issuer }: Pick<Study, 'mrn_outside' | 'issuer'>): string {
  return mrn_outside === 1 ? t('field.outsideMrn', { issuer: issuer || t('field.issuerUnknown') }) : ''
}
