import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { CancelButton } from '../../ui/dialog.tsx'
import style from './form-buttons.module.css'

interface FormButtonsProps {
  isSaving: boolean
  onCancel: () => void
}

/** Cancel and Save at the end of a form. */
export function FormButtons({ isSaving, onCancel }: FormButtonsProps) {
  return (
    <div className={style.buttons}>
      <CancelButton onCancel={onCancel}>{t('button.cancel')}</CancelButton>
      <Button type="submit" loading={isSaving}>
        {t('button.save')}
      </Button>
    </div>
  )
}
