import style from './brand-mark.module.css'

interface BrandMarkProps {
  /** Settings of the organisation; empty or missing where there are none. */
  logo: string | undefined
  color: string | undefined
}

/** An organisation's own logo beside our mark, and its colour below the bar, which has to be `position: relative`. */
export function BrandMark({ logo, color }: BrandMarkProps) {
  return (
    <>
      {logo && <img src={logo} alt="" className={style.logo} />}
      {color && <i className={style.color} style={{ background: color }} />}
    </>
  )
}
