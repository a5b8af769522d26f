import type { ShareSettings } from '@hilum/contract/share-settings'
import { Checkbox, NativeSelect } from '@mantine/core'
import { uploadSizeOptions } from '../../../format/size-options.ts'
import { t } from '../../../labels/label.ts'
import type { PlaceKinds } from '../../../queries/account-groups.ts'
import style from '../users/users.module.css'

interface TakingPartProps {
  of: PlaceKinds
  taking: ShareSettings
  /** Some settings are of the share code, and mean nothing without one. */
  hasCode: boolean
  onChange: (taking: ShareSettings) => void
}

const choices = ['account', 'yes', 'no'] as const

/** How a group or location takes in what is uploaded, and what outsiders send by its share code. */
export function TakingPart({ of, taking, hasCode, onChange }: TakingPartProps) {
  const { takesFiles } = taking
  const tick = (field: 'mustApprove' | 'takesUploads' | 'confirms') => ({
    checked: taking[field],
    disabled: !hasCode,
    size: 'xs' as const,
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      onChange({ ...taking, [field]: event.currentTarget.checked }),
  })
  return (
    <fieldset className={style.part}>
      <legend>{t('groups.takingPart')}</legend>
      <NativeSelect
        label={t('groups.takesFiles')}
        description={t('groups.takesFilesText')}
        value={takesFiles === undefined ? 'account' : takesFiles ? 'yes' : 'no'}
        data={choices.map((value) => ({ value, label: t(`groups.takesFiles.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...taking, takesFiles: value === 'account' ? undefined : value === 'yes' })
        }
      />
      <Checkbox {...tick('mustApprove')} label={t('groups.codeApproves')} />
      <Checkbox
        {...tick('takesUploads')}
        label={t('groups.codeUploads')}
        description={t(hasCode ? 'groups.codeUploadsText' : `${of}.codeMissing`)}
      />
      <Checkbox {...tick('confirms')} disabled={!hasCode || !taking.takesUploads} label={t('groups.codeConfirms')} />
      <NativeSelect
        label={t('groups.codeMegabytes')}
        description={t('groups.codeMegabytesText')}
        disabled={!hasCode || !taking.takesUploads}
        value={taking.megabytes === undefined ? '' : String(taking.megabytes)}
        data={[{ value: '', label: t('groups.takesFiles.account') }, ...uploadSizeOptions(taking.megabytes)]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...taking, megabytes: value === '' ? undefined : Number(value) })
        }
      />
    </fieldset>
  )
}
