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

/** Icons of the palette: those of acts by their label, which stand beside the same act elsewhere, and one for each kind. */
export const paletteIcons = {
  study: IconPhoto,
  search: IconBookmark,
  place: IconFolderOpen,
  act: IconSettings,
  page: IconSettings,
  patient: IconSearch,
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

const acts = [
  'nav.upload',
  'nav.request',
  'nav.retrieve',
  'menu.orders',
  'menu.admin',
  'menu.advanced',
  'menu.theme',
  'menu.help',
  'menu.logout',
] as const satisfies readonly (keyof typeof paletteIcons)[]

/** Key of the icon of an entry. */
export function iconKeyOf({ kind, label, note }: Entry): keyof typeof paletteIcons {
  if (kind === 'page' && note === t('menu.admin')) return 'menu.admin'
  if (kind !== 'act') return kind
  return acts.find((act) => t(act) === label) ?? 'act'
}
