import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadAddress } from '../../api/storage.ts'
import { formatSize } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { deriveSid } from '../../queries/derived-sid.ts'
import { mayOnAll } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { DownloadFrame } from './download-tab.tsx'
import style from './exam-panel.module.css'

/** Several studies (PANEL-01, PANEL-06): what can be done with all of them. Download is the first tab and the only one yet. */
export function MultiPanel({ studies }: { studies: readonly Study[] }) {
  const start = useMutation({
    mutationFn: async () => {
      const sid = await deriveSid(studies.map(({ uuid }) => uuid))
      return studies.map((study) => downloadAddress(study, sid))
    },
  })
  const mayDownload = mayOnAll(
    'downloadExam',
    studies.map(({ permissions }) => permissions),
  )
  return (
    <section className={style.panel} aria-label={t('exam.label')}>
      <div className={style.body}>
        <div className={style.content}>
          <h2 className={style.heading}>{t('exam.multi', { count: studies.length })}</h2>
          <p className={style.note}>{t('exam.multiText')}</p>
          {mayDownload && (
            <div className={style.actions}>
              <Button leftSection={<IconDownload size={15} />} loading={start.isPending} onClick={() => start.mutate()}>
                {t('download.many', { count: studies.length })}
              </Button>
            </div>
          )}
          {start.isError && <Banner tone="failed">{t('download.failed')}</Banner>}
          {start.data && <Banner tone="completed">{t('download.started')}</Banner>}
          {start.data?.map((address) => (
            <DownloadFrame key={`${start.submittedAt} ${address}`} address={address} />
          ))}
          <ul className={style.chosen}>
            {studies.map((study) => (
              <li key={study.uuid}>
                {nameText(study.patient_name) || t('card.noName')}
                <span>{formatSize(study.size)}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  )
}
