import { Checkbox, type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { dateFormats } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { dateFormatKey } from '../../queries/own-profile.ts'
import {
  densities,
  densityKey,
  picturesKey,
  shortcutsKey,
  useDensity,
  useHasPictures,
  useHasShortcuts,
  usePreferences,
} from '../../session/preferences.ts'
import { saveSetting } from '../../session/put-setting.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './account.module.css'
import { DatePreview } from './date-preview.tsx'

const schemes = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[]

/** How the screens look and are used; each choice is in force at once. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { dateFormat, timeZone } = usePreferences()
  const density = useDensity()
  const hasShortcuts = useHasShortcuts()
  const hasPictures = useHasPictures()
  // Held here, so that a control turns with the click and not with the answer.
  const [wanted, setWanted] = useState<Record<string, string>>({})
  const { mutate, isError } = useMutation({
    mutationFn: ({ key, value }: { key: string; value: string }) => saveSetting(key, value),
    onSettled: (_reply, _failure, settled) =>
      setWanted(({ [settled.key]: now, ...others }) =>
        now === undefined || now === settled.value ? others : { ...others, [settled.key]: now },
      ),
  })
  const choose = (key: string, value: string) => {
    setWanted({ ...wanted, [key]: value })
    mutate({ key, value })
  }
  return (
    <div className={style.page}>
      {isError && <Banner tone="failed">{t('appearance.failed')}</Banner>}
      <NativeSelect
        label={t('appearance.scheme')}
        description={t('appearance.schemeHelp')}
        value={colorScheme}
        data={schemes.map((value) => ({ value, label: t(`appearance.scheme.${value}`) }))}
        onChange={(event) => setColorScheme(event.currentTarget.value as MantineColorScheme)} // one of the options above
      />
      <NativeSelect
        label={t('appearance.density')}
        value={wanted[densityKey] ?? density}
        data={densities.map((value) => ({ value, label: t(`appearance.density.${value}`) }))}
        onChange={(event) => choose(densityKey, event.currentTarget.value)}
      />
      <div>
        <NativeSelect
          label={t('profile.dateFormat')}
          value={wanted[dateFormatKey] ?? dateFormat}
          data={[...dateFormats]}
          onChange={(event) => choose(dateFormatKey, event.currentTarget.value)}
        />
        <DatePreview format={dateFormat} timeZone={timeZone} />
      </div>
      <h3 className={style.subheading}>{t('appearance.list')}</h3>
      <Checkbox
        label={t('appearance.pictures')}
        description={t('appearance.picturesText')}
        checked={(wanted[picturesKey] ?? (hasPictures ? '1' : '0')) === '1'}
        onChange={(event) => choose(picturesKey, event.currentTarget.checked ? '1' : '0')}
      />
      <h3 className={style.subheading}>{t('appearance.keys')}</h3>
      {/* WCAG 2.1.4: keys that act by themselves can be switched off */}
      <Checkbox
        label={t('appearance.keysOn')}
        description={t('appearance.keysText')}
        checked={(wanted[shortcutsKey] ?? (hasShortcuts ? '1' : '0')) === '1'}
        onChange={(event) => choose(shortcutsKey, event.currentTarget.checked ? '1' : '0')}
      />
    </div>
  )
}
