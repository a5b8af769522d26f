import '@mantine/core/styles/Radio.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import { mostInArchive } from '@hilum/contract/limits'
import { channel } from '@hilum/contract/routes/others'
import { Button, Radio } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { useJobStates } from '../../queries/job-states.ts'
import { usePlaceFlags } from '../../queries/namespaces.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { ActFailure } from './act-failure.tsx'
import style from './acts.module.css'
import { DownloadProgress } from './download-progress.tsx'
import {
  type DownloadKind,
  refusalLine,
  refusalText,
  startDownloads,
  startTogether,
  type StartedDownload,
  type StartedDownloads,
} from './download-studies.ts'
import panel from './exam-panel.module.css'

/** Kind of download, button and outcome; for one study or several. */
export function DownloadForm({ studies, button }: { studies: readonly Study[]; button: string }) {
  const [kind, setKind] = useState<DownloadKind>('corrected')
  const mayTogether = studies.length > 1 && studies.length <= mostInArchive
  const [isApart, setIsApart] = useState(!mayTogether)
  const [started, setStarted] = useState<StartedDownloads>()
  const start = useMutation({
    mutationFn: (wanted: DownloadKind) =>
      mayTogether && !isApart ? startTogether(studies, wanted) : startDownloads(studies, wanted),
    onMutate: () => setStarted(undefined),
    onSuccess: setStarted,
  })
  const again = useMutation({
    mutationFn: (broken: StartedDownload) => startTogether(broken.studies, broken.kind),
    onSuccess: (anew, broken) => setStarted((now) => now && replaceOne(now, broken, anew)),
  })
  const flagsOf = usePlaceFlags()
  const heard = started?.files.map(({ studies: [first] }) => first).filter((one) => mayCall(channel, flagsOf(one)))
  const states = useJobStates(heard?.map((one) => one.phi_namespace) ?? [])
  const isOne = (started?.files.length ?? studies.length) === 1 && (started?.refused.length ?? 0) === 0
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
      {mayTogether && (
        <Radio.Group
          label={t('download.files')}
          value={isApart ? 'apart' : 'together'}
          onChange={(value) => setIsApart(value === 'apart')}
        >
          <div className={style.radios}>
            <Radio value="together" label={t('download.together')} description={t('download.togetherText')} />
            <Radio value="apart" label={t('download.apart')} description={t('download.apartText')} />
          </div>
        </Radio.Group>
      )}
      <div className={panel.actions}>
        <Button leftSection={<IconDownload size={15} />} loading={start.isPending} onClick={() => start.mutate(kind)}>
          {button}
        </Button>
      </div>
      {start.isError && (
        <ActFailure text={t('download.failed')} failure={start.error} onRetry={() => start.mutate(kind)} />
      )}
      {started && <Started started={started} states={states} isOne={isOne} />}
      {started?.files.map((file) => (
        <DownloadProgress
          key={file.jobId}
          download={file}
          state={states[file.jobId]}
          isOne={isOne}
          isRetrying={again.isPending && again.variables.jobId === file.jobId}
          onRetry={() => again.mutate(file)}
        />
      ))}
      {again.isError && (
        <ActFailure text={t('download.failed')} failure={again.error} onRetry={() => again.mutate(again.variables)} />
      )}
      {started?.files.map(({ jobId, address }) => (
        <DownloadFrame key={jobId} address={address} />
      ))}
    </>
  )
}

/** The others as they were, and in the place of one what came of starting it again. */
function replaceOne(now: StartedDownloads, broken: StartedDownload, anew: StartedDownloads): StartedDownloads {
  return {
    files: now.files.flatMap((file) => (file.jobId === broken.jobId ? anew.files : [file])),
    refused: [...now.refused, ...anew.refused],
  }
}

interface StartedProps {
  started: StartedDownloads
  states: ReturnType<typeof useJobStates>
  isOne: boolean
}

/** Said aloud when it begins and when all of it is done, and not in between. */
function Started({ started, states, isOne }: StartedProps) {
  const { files, refused } = started
  const [only] = refused
  const [file] = files
  const count = files.length
  const isDone = files.every(({ jobId }) => states[jobId]?.event === 'DONE')
  const isBroken = isOne && file && states[file.jobId]?.event === 'BROKEN'
  return (
    <>
      {file && !isBroken && (
        <Banner tone="completed">
          {isOne
            ? t(isDone ? 'download.done' : 'download.startedSize', { size: formatSize(file.bytes) })
            : t(isDone ? 'download.doneMany' : 'download.startedMany', { count })}
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
