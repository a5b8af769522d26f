import type { Study } from '@hilum/contract/entities/study'
import { restoreDays } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { useDeleteStudies } from '../../queries/exam-acts.ts'
import { usePutActMessages } from '../../state/act-messages.ts'
import { unmarkAll } from '../../state/marked-studies.ts'
import { Banner } from '../../ui/banner.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { IconTrash } from '../../ui/icons.ts'
import style from './acts.module.css'
import { deleteReason, tellDeleted } from './delete-messages.ts'
import { DeletionReach } from './deletion-reach.tsx'
import { ExamLine } from './exam-line.tsx'
import panel from './exam-panel.module.css'
import { ExamTable } from './exam-table.tsx'

/** Exams that the question names; the table behind it has all. */
const namedExams = 5

interface DeleteTabProps {
  studies: readonly Study[]
  /** The question stands. */
  isAsking: boolean
  onAsking: (isAsking: boolean) => void
  onDeleted?: () => void
}

/**
 * DELETE-01: a table of what is to be deleted, and a question before it is. The outcome shows in the message tab
 * (DELETE-02).
 */
export function DeleteTab({ studies, isAsking, onAsking, onDeleted }: DeleteTabProps) {
  const putMessages = usePutActMessages()
  const deletion = useDeleteStudies((results) => {
    putMessages(tellDeleted(results))
    onDeleted?.()
    unmarkAll() // LIST-15
  })
  const count = studies.length
  // Where nothing is known to be done the selection stays, so that it can be tried again.
  const handleDelete = () => deletion.mutate(studies, { onError: () => onAsking(false) })
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('delete.title', { count })}</h3>
      <p className={panel.note}>{t('delete.text', { days: restoreDays })}</p>
      {deletion.isError && (
        <Banner tone="failed">
          {t('delete.failed', { count })}
          <span className={style.reason}>{deleteReason(deletion.error)}</span>
        </Banner>
      )}
      <div className={panel.actions}>
        <Button color="red" leftSection={<IconTrash size={15} />} onClick={() => onAsking(true)}>
          {t('delete.button', { count })}
        </Button>
      </div>
      <ExamTable studies={studies} />
      {isAsking && (
        <Dialog
          title={t('delete.confirmTitle', { count })}
          closeLabel={t('button.close')}
          onClose={() => onAsking(false)}
        >
          <div className={style.confirm}>
            <ul className={style.asked}>
              {studies.slice(0, namedExams).map((study) => (
                <li key={study.uuid}>
                  <ExamLine study={study} among={studies} />
                </li>
              ))}
              {count > namedExams && <li>{t('delete.others', { count: count - namedExams })}</li>}
            </ul>
            <DeletionReach studies={studies} />
            <p>{t('delete.confirmText', { count, days: restoreDays })}</p>
            <div className={style.choices}>
              <Button variant="default" data-autofocus disabled={deletion.isPending} onClick={() => onAsking(false)}>
                {t('delete.cancel')}
              </Button>
              <Button color="red" loading={deletion.isPending} onClick={handleDelete}>
                {t('delete.button', { count })}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  )
}
