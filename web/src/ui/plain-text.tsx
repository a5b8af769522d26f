import style from './plain-text.module.css'

/** A text as it was written: empty lines part paragraphs, lines stay lines. */
export function PlainText({ text }: { text: string }) {
  return (
    <div className={style.text}>
      {text.split(/\n\s*\n/).map((paragraph, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two paragraphs may read alike
        <p key={at}>{paragraph}</p>
      ))}
    </div>
  )
}
