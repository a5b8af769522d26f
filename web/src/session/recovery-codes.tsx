import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { t } from '../labels/label.ts'
import { IconCheck } from '../ui/icons.ts'
import style from './two-factor.module.css'

/** Recovery codes that were just made, shown this once. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(codes.join('\n')) })
  return (
    <section className={style.setUp} aria-label={t('pin.codesTitle')}>
      <h2 className={style.title}>{t('pin.codesTitle')}</h2>
      <p role="status">{t(copy.isError ? 'pin.copyFailed' : 'pin.codesText')}</p>
      <ul className={style.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={style.acts}>
        <Button
          variant="default"
          size="sm"
          autoFocus
          leftSection={copy.isSuccess ? <IconCheck size={16} /> : undefined}
          onClick={() => copy.mutate()}
        >
          {t(copy.isSuccess ? 'pin.copied' : 'pin.copy')}
        </Button>
        <Button size="sm" onClick={onStored}>
          {t('pin.stored')}
        </Button>
      </div>
    </section>
  )
}
