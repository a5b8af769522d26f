import { t } from '../../labels/label.ts'
import {
  IconBookmark,
  IconCalendar,
  IconCloudDownload,
  IconFolderOpen,
  IconHelp,
  IconLogout,
  IconMail,
  IconPhoto,
  IconSearch,
  IconSettings,
  IconSun,
  IconTable,
  IconUpload,
  IconUserCog,
} from '../../ui/icons.ts'
import type { Entry } from './palette-entries.tsx'

const ofKinds = {
  study: IconPhoto,
  search: IconBookmark,
  place: IconFolderOpen,
  act: IconSettings,
  page: IconSettings,
  patient: IconSearch,
} as const satisfies Record<Entry['kind'], typeof IconSearch>

const ofActs = {
  'nav.upload': IconUpload,
  'nav.request': IconMail,
  'nav.retrieve': IconCloudDownload,
  'menu.orders': IconCalendar,
  'menu.admin': IconUserCog,
  'menu.advanced': IconTable,
  'menu.theme': IconSun,
  'menu.help': IconHelp,
  'menu.logout': IconLogout,
} as const

/** The icon that an entry of the palette has elsewhere on the screen, else that of its kind. */
export function iconOf({ kind, label, note }: Entry) {
  if (kind === 'page' && note === t('menu.admin')) return IconUserCog
  if (kind !== 'act') return ofKinds[kind]
  const key = (Object.keys(ofActs) as (keyof typeof ofActs)[]).find((one) => t(one) === label) // the keys of the table
  return key ? ofActs[key] : ofKinds.act
}
