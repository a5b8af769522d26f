import type { IconProps, TablerIcon } from '@tabler/icons-react'
import { createElement, type FunctionComponent } from 'react'
import AlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import AlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import AlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import ArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import ArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs'
import Ban from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import Books from '@tabler/icons-react/dist/esm/icons/IconBooks.mjs'
import Building from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import BuildingHospital from '@tabler/icons-react/dist/esm/icons/IconBuildingHospital.mjs'
import Camera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import Check from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import Checklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import ChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import ChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import ChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import CircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import ClockHour4 from '@tabler/icons-react/dist/esm/icons/IconClockHour4.mjs'
import Cloud from '@tabler/icons-react/dist/esm/icons/IconCloud.mjs'
import CloudDownload from '@tabler/icons-react/dist/esm/icons/IconCloudDownload.mjs'
import CloudUpload from '@tabler/icons-react/dist/esm/icons/IconCloudUpload.mjs'
import Copy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import Download from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import Edit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import ExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import Eye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import FileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import Flag3Filled from '@tabler/icons-react/dist/esm/icons/IconFlag3Filled.mjs'
import FolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import FolderOpen from '@tabler/icons-react/dist/esm/icons/IconFolderOpen.mjs'
import GripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import Help from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import Home from '@tabler/icons-react/dist/esm/icons/IconHome.mjs'
import Inbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import Lock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import Logout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import Menu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import Moon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import Paperclip from '@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs'
import Photo from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import PhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs'
import Plus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import Refresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import Search from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import Send2 from '@tabler/icons-react/dist/esm/icons/IconSend2.mjs'
import Settings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import Send from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import Share from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import StarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import Sun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import Trash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import Upload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import User from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import UserCog from '@tabler/icons-react/dist/esm/icons/IconUserCog.mjs'
import Users from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import UsersGroup from '@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs'
import X from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import Mail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import Selector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import AdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import Bookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import Calendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import Columns from '@tabler/icons-react/dist/esm/icons/IconColumns.mjs'
import ArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import InfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import Link from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import Restore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import Star from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import UserOff from '@tabler/icons-react/dist/esm/icons/IconUserOff.mjs'
import UserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import Filter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import UserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import Table from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import Dots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import ReportMedical from '@tabler/icons-react/dist/esm/icons/IconReportMedical.mjs'
import ArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import Unlink from '@tabler/icons-react/dist/esm/icons/IconUnlink.mjs'
import UserShare from '@tabler/icons-react/dist/esm/icons/IconUserShare.mjs'

/*
 * The icons in use, imported one by one: the package's index costs 4.5 MB in development. Add two lines to use another.
 */
export const IconAlertCircle = /* @__PURE__ */ beside(AlertCircle)
export const IconAlertTriangle = /* @__PURE__ */ beside(AlertTriangle)
export const IconAlertTriangleFilled = /* @__PURE__ */ beside(AlertTriangleFilled)
export const IconArrowUp = /* @__PURE__ */ beside(ArrowUp)
export const IconArrowsExchange = /* @__PURE__ */ beside(ArrowsExchange)
export const IconBan = /* @__PURE__ */ beside(Ban)
export const IconBooks = /* @__PURE__ */ beside(Books)
export const IconBuilding = /* @__PURE__ */ beside(Building)
export const IconBuildingHospital = /* @__PURE__ */ beside(BuildingHospital)
export const IconCamera = /* @__PURE__ */ beside(Camera)
export const IconCheck = /* @__PURE__ */ beside(Check)
export const IconChecklist = /* @__PURE__ */ beside(Checklist)
export const IconChevronDown = /* @__PURE__ */ beside(ChevronDown)
export const IconChevronLeft = /* @__PURE__ */ beside(ChevronLeft)
export const IconChevronRight = /* @__PURE__ */ beside(ChevronRight)
export const IconCircleCheckFilled = /* @__PURE__ */ beside(CircleCheckFilled)
export const IconClockHour4 = /* @__PURE__ */ beside(ClockHour4)
export const IconCloud = /* @__PURE__ */ beside(Cloud)
export const IconCloudDownload = /* @__PURE__ */ beside(CloudDownload)
export const IconCloudUpload = /* @__PURE__ */ beside(CloudUpload)
export const IconCopy = /* @__PURE__ */ beside(Copy)
export const IconDownload = /* @__PURE__ */ beside(Download)
export const IconEdit = /* @__PURE__ */ beside(Edit)
export const IconExternalLink = /* @__PURE__ */ beside(ExternalLink)
export const IconEye = /* @__PURE__ */ beside(Eye)
export const IconFileText = /* @__PURE__ */ beside(FileText)
export const IconFlag3Filled = /* @__PURE__ */ beside(Flag3Filled)
export const IconFolderSymlink = /* @__PURE__ */ beside(FolderSymlink)
export const IconFolderOpen = /* @__PURE__ */ beside(FolderOpen)
export const IconGripVertical = /* @__PURE__ */ beside(GripVertical)
export const IconHelp = /* @__PURE__ */ beside(Help)
export const IconHome = /* @__PURE__ */ beside(Home)
export const IconInbox = /* @__PURE__ */ beside(Inbox)
export const IconLock = /* @__PURE__ */ beside(Lock)
export const IconLogout = /* @__PURE__ */ beside(Logout)
export const IconMenu2 = /* @__PURE__ */ beside(Menu2)
export const IconMoon = /* @__PURE__ */ beside(Moon)
export const IconPaperclip = /* @__PURE__ */ beside(Paperclip)
export const IconPhoto = /* @__PURE__ */ beside(Photo)
export const IconPhotoOff = /* @__PURE__ */ beside(PhotoOff)
export const IconPlus = /* @__PURE__ */ beside(Plus)
export const IconRefresh = /* @__PURE__ */ beside(Refresh)
export const IconSearch = /* @__PURE__ */ beside(Search)
export const IconSend2 = /* @__PURE__ */ beside(Send2)
export const IconSettings = /* @__PURE__ */ beside(Settings)
export const IconSend = /* @__PURE__ */ beside(Send)
export const IconShare = /* @__PURE__ */ beside(Share)
export const IconStarFilled = /* @__PURE__ */ beside(StarFilled)
export const IconSun = /* @__PURE__ */ beside(Sun)
export const IconTrash = /* @__PURE__ */ beside(Trash)
export const IconUpload = /* @__PURE__ */ beside(Upload)
export const IconUser = /* @__PURE__ */ beside(User)
export const IconUserCog = /* @__PURE__ */ beside(UserCog)
export const IconUsers = /* @__PURE__ */ beside(Users)
export const IconUsersGroup = /* @__PURE__ */ beside(UsersGroup)
export const IconX = /* @__PURE__ */ beside(X)
export const IconMail = /* @__PURE__ */ beside(Mail)
export const IconSelector = /* @__PURE__ */ beside(Selector)
export const IconAdjustmentsHorizontal = /* @__PURE__ */ beside(AdjustmentsHorizontal)
export const IconBookmark = /* @__PURE__ */ beside(Bookmark)
export const IconCalendar = /* @__PURE__ */ beside(Calendar)
export const IconColumns = /* @__PURE__ */ beside(Columns)
export const IconArrowDown = /* @__PURE__ */ beside(ArrowDown)
export const IconInfoCircle = /* @__PURE__ */ beside(InfoCircle)
export const IconLink = /* @__PURE__ */ beside(Link)
export const IconRestore = /* @__PURE__ */ beside(Restore)
export const IconStar = /* @__PURE__ */ beside(Star)
export const IconUserOff = /* @__PURE__ */ beside(UserOff)
export const IconUserPlus = /* @__PURE__ */ beside(UserPlus)
export const IconFilter = /* @__PURE__ */ beside(Filter)
export const IconUserCheck = /* @__PURE__ */ beside(UserCheck)
export const IconTable = /* @__PURE__ */ beside(Table)
export const IconDots = /* @__PURE__ */ beside(Dots)
export const IconReportMedical = /* @__PURE__ */ beside(ReportMedical)
export const IconArrowBackUp = /* @__PURE__ */ beside(ArrowBackUp)
export const IconUnlink = /* @__PURE__ */ beside(Unlink)
export const IconUserShare = /* @__PURE__ */ beside(UserShare)

/** An icon that screen readers pass over, because it stands beside words or in a named button, unless it has a name of its own. */
function beside(icon: TablerIcon): FunctionComponent<IconProps> {
  return (props) => createElement(icon, { ...(props['aria-label'] === undefined && { 'aria-hidden': true }), ...props })
}
