import {
  IconArrowsExchange,
  IconChecklist,
  IconDownload,
  IconEdit,
  IconEye,
  IconFileText,
  IconPaperclip,
  IconReportMedical,
  IconShare,
  IconTrash,
} from '../../ui/icons.ts'
import type { ExamTab } from './tab-sets.ts'

/** The picture before a tab's name. */
export const tabIcons: Partial<Record<ExamTab, typeof IconEye>> = {
  summary: IconFileText,
  viewer: IconEye,
  download: IconDownload,
  share: IconShare,
  editMRN: IconEdit,
  attachments: IconPaperclip,
  deleteExams: IconTrash,
  exchange: IconArrowsExchange,
  orders: IconChecklist,
  reports: IconReportMedical,
}
