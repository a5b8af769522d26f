import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { IconCheck } from '../../ui/icons.ts'
import style from './account.module.css'

/** A key that was made, shown this once. */
export function NewKey({ name, value, onDone }: { name: string; value: string; onDone: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(value) })
  useEffect(() => field.current?.select(), [])
  return (
    <section className={style.made} aria-label={t('programKeys.new', { name })}>
      <h3 className={style.madeTitle}>{t('programKeys.new', { name })}</h3>
      <p>{t('programKeys.once')}</p>
      <div className={style.value}>
        <TextInput
          ref={field}
          className={style.secret}
          aria-label={t('programKeys.value')}
          value={value}
          readOnly
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          variant="default"
          leftSection={copy.isSuccess ? <IconCheck size={16} /> : undefined}
          onClick={() => copy.mutate()}
        >
          {t(copy.isSuccess ? 'programKeys.copied' : 'programKeys.copy')}
        </Button>
      </div>
      <p role="status" className={style.use}>
        {t(copy.isError ? 'programKeys.copyFailed' : 'programKeys.use')}
      </p>
      <Button onClick={onDone}>{t('programKeys.done')}</Button>
    </section>
  )
}
