import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import style from './sign-in.module.css'

interface FormFootProps {
  /** Where the other way leads, and its words. */
  to: '/' | '/forgot-password'
  otherWay: string
  submit: string
  isBusy: boolean
}

/** The last line of a form before sign-in: another way to go, and the button. */
export function FormFoot({ to, otherWay, submit, isBusy }: FormFootProps) {
  return (
    <div className={style.row}>
      <Link to={to} className={style.link}>
        {otherWay}
      </Link>
      <Button type="submit" size="sm" loading={isBusy}>
        {submit}
      </Button>
    </div>
  )
}
