import '@mantine/core/styles/Radio.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Radio } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import {
  type DownloadKind,
  refusalLine,
  refusalText,
  startDownloads,
  type StartedDownloads,
} from './download-studies.ts'
import panel from './exam-panel.module.css'

/** Which files, the button, and what came of it; for one study or several. */
export function DownloadForm({ studies, button }: { studies: readonly Study[]; button: string }) {
  const [kind, setKind] = useState<DownloadKind>('corrected')
  const start = useMutation({ mutationFn: (wanted: DownloadKind) => startDownloads(studies, wanted) })
  return (
    <>
      <Radio.Group
        label={t('download.kind')}
        value={kind}
        onChange={(value) => setKind(value === 'received' ? 'received' : 'corrected')}
      >
        <div className={style.radios}>
          <Radio value="corrected" label={t('download.corrected')} description={t('download.correctedText')} />
          <Radio value="received" label={t('download.received')} description={t('download.receivedText')} />
        </div>
      </Radio.Group>
      <div className={panel.actions}>
        <Button leftSection={<IconDownload size={15} />} loading={start.isPending} onClick={() => start.mutate(kind)}>
          {button}
        </Button>
      </div>
      {start.isError && (
        <ActFailure text={t('download.failed')} failure={start.error} onRetry={() => start.mutate(kind)} />
      )}
      {start.data && <Started started={start.data} isOne={studies.length === 1} />}
      {start.data?.addresses.map((address) => (
        <DownloadFrame key={`${start.submittedAt} ${address}`} address={address} />
      ))}
    </>
  )
}

function Started({ started, isOne }: { started: StartedDownloads; isOne: boolean }) {
  const { addresses, bytes, refused } = started
  const [only] = refused
  return (
    <>
      {addresses.length > 0 && (
        <Banner tone="completed">
          {isOne
            ? t('download.startedSize', { size: formatSize(bytes) })
            : t('download.startedMany', { count: addresses.length })}
        </Banner>
      )}
      {only && isOne && <Banner tone="failed">{refusalText(only)}</Banner>}
      {refused.length > 0 && !isOne && (
        <Banner tone="failed">
          {t('download.failedMany', { count: refused.length })}
          <ul className={style.list}>
            {refused.map((refusal) => (
              <li key={refusal.study.uuid}>{refusalLine(refusal)}</li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  )
}

/** DOWNLOAD-02: a hidden frame; the server answers with an attachment, so the page stays where it is. */
function DownloadFrame({ address }: { address: string }) {
  return (
    <iframe
      className={panel.frame}
      title={t('download.frame')}
      src={address}
      sandbox="allow-downloads"
      aria-hidden="true"
      tabIndex={-1}
    />
  )
}
