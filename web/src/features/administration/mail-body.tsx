import { Fragment } from 'react'
import style from './mail-outbox.module.css'

/** A mail as its recipient reads it: paragraphs, and each line that is an address alone as a link. */
export function MailBody({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/).filter((lines) => lines.trim() !== '')
  return (
    <div className={style.body}>
      {paragraphs.map((lines, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a mail does not change
        <p key={at}>
          {lines
            .split('\n')
            .filter((line) => line.trim() !== '')
            .map((line, row) => (
              // oxlint-disable-next-line react/no-array-index-key -- as above
              <Fragment key={row}>
                {row > 0 && <br />}
                <MailLine line={line} />
              </Fragment>
            ))}
        </p>
      ))}
    </div>
  )
}

function MailLine({ line }: { line: string }) {
  if (!/^https?:\/\/\S+$/.test(line)) return line
  return (
    <a href={line} target="_blank" rel="noreferrer">
      {line}
    </a>
  )
}
