import style from './email-text.module.css'

/** An e-mail address in a narrow place: broken before its @, and elsewhere only where one part alone has no room. */
export function EmailText({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@')
  if (at < 1) return <span className={style.email}>{address}</span>
  return (
    <span className={style.email}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  )
}
