import {
  IconArrowsExchange,
  IconBuildingHospital,
  IconChecklist,
  IconDownload,
  IconEdit,
  IconEye,
  IconFileText,
  IconPaperclip,
  IconReportMedical,
  IconSend,
  IconShare,
  IconTrash,
  IconUserCheck,
} from '../../ui/icons.ts'
import type { BuiltTab } from './tab-sets.ts'

/** The picture before a tab's name. */
export const tabIcons: Record<BuiltTab, typeof IconEye> = {
  summary: IconFileText,
  viewer: IconEye,
  download: IconDownload,
  pacs: IconBuildingHospital,
  share: IconShare,
  editMRN: IconEdit,
  sendExams: IconSend,
  attachments: IconPaperclip,
  deleteExams: IconTrash,
  exchange: IconArrowsExchange,
  process: IconUserCheck,
  orders: IconChecklist,
  reports: IconReportMedical,
}
