import { t } from '../../labels/label.ts'

/** The way by which something was asked for that was refused. */
export function doorText(act: string): string {
  if (act.startsWith('C-')) return t('refused.door.sender', { act })
  switch (act) {
    case 'storage':
      return t('refused.door.storage')
    case 'dicomweb':
      return t('refused.door.dicomweb')
    case 'channel':
      return t('refused.door.channel')
    case 'HL7':
      return t('refused.door.orders')
    case 'DICOM':
      return t('refused.door.otherService')
    default:
      return t('refused.door.call', { path: act })
  }
}
