import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '../../../labels/label.ts'
import { readLogo } from './organisation-rules.ts'
import style from './organisation.module.css'

/** Chooses the picture that stands in the header. */
export function LogoField({ value, onChange }: { value: string; onChange: (logo: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isWrong, setIsWrong] = useState(false)
  const handleFile = async (file: File | undefined) => {
    if (!file) return
    const logo = await readLogo(file).catch(() => undefined)
    setIsWrong(logo === undefined)
    if (logo) onChange(logo)
    if (input.current) input.current.value = ''
  }
  return (
    <div role="group" aria-label={t('organisation.logo')}>
      <div className={style.logo}>
        <div className={style.picture}>
          {value ? <img src={value} alt={t('organisation.logo')} /> : t('organisation.logoNone')}
        </div>
        <input
          ref={input}
          hidden
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-label={t('organisation.logoChoose')}
          onChange={(event) => void handleFile(event.currentTarget.files?.[0])}
        />
        <Button variant="default" size="xs" onClick={() => input.current?.click()}>
          {t('organisation.logoChoose')}
        </Button>
        {value && (
          <Button variant="default" size="xs" onClick={() => onChange('')}>
            {t('organisation.logoRemove')}
          </Button>
        )}
      </div>
      {isWrong ? (
        <p role="alert" className={style.fault}>
          {t('organisation.logoWrong')}
        </p>
      ) : (
        <p className={style.hint}>{t('organisation.logoHelp')}</p>
      )}
    </div>
  )
}
