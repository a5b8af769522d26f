import {
  IconArrowsExchange,
  IconBuildingHospital,
  IconChecklist,
  IconDownload,
  IconEdit,
  IconEye,
  IconFileText,
  IconInbox,
  IconPaperclip,
  IconReportMedical,
  IconSend,
  IconShare,
  IconTrash,
  IconUserCheck,
} from '../../ui/icons.ts'
import type { ExamTab } from '../../state/exam-tabs.ts'

/** The picture before a tab's name. */
export const tabIcons: Record<ExamTab, typeof IconEye> = {
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
  pendingRequests: IconInbox,
  reports: IconReportMedical,
}
