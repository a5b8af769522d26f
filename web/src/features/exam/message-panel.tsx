import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { t } from '../../labels/label.ts'
import { restoredText } from '../../labels/restored-text.ts'
import { useRestoreStudies } from '../../queries/study-acts.ts'
import { type ActMessage, clearActMessages, useActMessages } from '../../state/act-messages.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './acts.module.css'
import { ExamLine } from './exam-line.tsx'
import panel from './exam-panel.module.css'

interface MessagePanelProps {
  /** Opens an exam that was brought back. */
  onOpen: (uuid: string) => void
}

/** PANEL-01: the message tab, in place of the panels while there are messages. */
export function MessagePanel({ onOpen }: MessagePanelProps) {
  const messages = useActMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  // The element in focus is gone with its panel.
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={panel.panel} aria-label={t('message.label')}>
      <div className={panel.body}>
        <div className={panel.content}>
          <h2 ref={heading} tabIndex={-1} className={panel.heading}>
            {t('message.label')}
          </h2>
          {messages.map((message) => (
            <Message key={message.text} message={message} onOpen={onOpen} />
          ))}
          <div className={panel.actions}>
            <Button variant="default" onClick={clearActMessages}>
              {t('message.back')}
            </Button>
          </div>
        </div>
      </div>
    </section>
  )
}

function Message({ message, onOpen }: { message: ActMessage } & MessagePanelProps) {
  const restore = useRestoreStudies()
  const back = useMutation({ mutationFn: async () => message.undo?.() })
  const { tone, text, details, restorable } = message
  if (back.data) return <Banner tone="completed">{t('message.takenBack')}</Banner>
  if (restore.data && restore.data.failed === 0) {
    const access = restoredText(restore.data.access)
    return (
      <Banner tone="completed">
        {t('message.undone', { count: restore.data.done })}
        {access && <span className={style.reason}>{access}</span>}
        <Exams studies={restorable} onOpen={onOpen} />
      </Banner>
    )
  }
  const handleUndo = () => (message.undo ? back.mutate() : restore.mutate(restorable.map(({ uuid }) => uuid)))
  const undo = (message.undo ?? restorable.length > 0) && (
    <Button variant="default" size="compact-xs" loading={restore.isPending || back.isPending} onClick={handleUndo}>
      {t('message.undo')}
    </Button>
  )
  return (
    <>
      <Banner tone={tone} action={undo || undefined}>
        {text}
        <Exams studies={restorable} />
        {details.length === 1 && <span className={style.reason}>{details[0]}</span>}
        {details.length > 1 && (
          <ul className={style.list}>
            {details.map((detail, at) => (
              <li key={`${at} ${detail}`}>{detail}</li>
            ))}
          </ul>
        )}
      </Banner>
      {(back.isError || back.data === false) && <Banner tone="failed">{t('message.takeBackFailed')}</Banner>}
      {(restore.isError || restore.data) && <Banner tone="failed">{t('message.undoFailed')}</Banner>}
    </>
  )
}

/** Exams that a message names; the others are counted. */
const namedExams = 5

/** The exams of a message, and once they are there again the way to each. */
function Exams({ studies, onOpen }: { studies: readonly Study[]; onOpen?: MessagePanelProps['onOpen'] }) {
  if (studies.length === 0) return null
  return (
    <ul className={style.list}>
      {studies.slice(0, namedExams).map((study) => (
        <li key={study.uuid}>
          {onOpen ? (
            <button type="button" className={style.examLink} onClick={() => onOpen(study.uuid)}>
              <ExamLine study={study} among={studies} />
            </button>
          ) : (
            <ExamLine study={study} among={studies} />
          )}
        </li>
      ))}
      {studies.length > namedExams && <li>{t('delete.others', { count: studies.length - namedExams })}</li>}
    </ul>
  )
}
