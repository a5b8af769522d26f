import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import style from './link.module.css'

/** The way on from a page that opens nothing: the inbox of whoever has a login here. */
export function SignInWay() {
  return (
    <div className={style.way}>
      <span className={style.note}>{t('link.ownLogin')}</span>
      <Button component="a" href="/" variant="default">
        {t('link.signIn')}
      </Button>
    </div>
  )
}
