import { Button } from '@mantine/core'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import style from '../routing/routing.module.css'

/** Shows a secret, this once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={t('webhooks.secretTitle')} closeLabel={t('button.close')} onClose={onClose}>
      <div className={style.form}>
        <p className={style.hint}>{t('webhooks.secretText')}</p>
        <TextInput
          label={t('webhooks.secret')}
          value={secret}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={style.buttons}>
          <Button onClick={onClose}>{t('button.close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}
