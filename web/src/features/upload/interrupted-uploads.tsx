import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { forgetUpload, type StoredUpload, listInterrupted } from '../../session/stored-uploads.ts'
import { forgetNote, listNotes, type UploadNote } from '../../session/upload-notes.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { takeUpUpload } from './take-up-upload.ts'
import style from './upload.module.css'
import { countFiles, studyCountText } from './upload-format.ts'
import type { UploadDestination } from './upload-job.ts'

interface InterruptedProps {
  /** By whom they were begun; see `StoredUpload`. */
  owner: string | undefined
  /** Groups into which the person may upload; not given for a request, which has one place. */
  destinations?: readonly UploadDestination[]
  /** The exams were found again; an upload into a group has begun by itself where nothing is to be asked. */
  onFound?: () => void
}

/** Uploads that a reload, a crash or a restart interrupted, to be gone on with by one click. */
export function InterruptedUploads({ owner, destinations, onFound }: InterruptedProps) {
  const client = useQueryClient()
  const queryKey = ['kept-uploads', owner]
  const { data = [] } = useQuery({
    queryKey,
    queryFn: async () => [...(await listInterrupted(owner ?? '')), ...listNotes(owner ?? '')],
    enabled: owner !== undefined,
    gcTime: 0,
    staleTime: 0,
    // of a page that crashed it is known after a while alone
    refetchInterval: 60_000,
  })
  const mayGo = ({ destination }: StoredUpload | UploadNote) =>
    !destination || destinations?.some(({ namespaceId }) => namespaceId === destination.namespaceId) === true
  return data.filter(mayGo).map((upload) => (
    <Interrupted
      key={upload.key}
      upload={upload}
      onFound={onFound}
      onForget={() => {
        forgetNote(upload.key)
        void forgetUpload(upload.key).then(() => client.invalidateQueries({ queryKey }))
      }}
    />
  ))
}

interface OneProps {
  upload: StoredUpload | UploadNote
  onFound: (() => void) | undefined
  onForget: () => void
}

function Interrupted({ upload, onFound, onForget }: OneProps) {
  const { dateFormat, timeZone } = usePreferences()
  const [isRefused, setIsRefused] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const stored = 'handles' in upload && upload.handles.length > 0 ? upload : undefined
  const facts = {
    studies: studyCountText('studies' in upload ? upload.studies.length : upload.studyCount),
    files: 'fileCount' in upload ? countFiles(upload.fileCount) : '',
    when: formatStamp(new Date(upload.startedMs).toISOString(), dateFormat, timeZone),
  }
  const handleGoOn = async (taken: StoredUpload) => {
    setIsAsking(true)
    try {
      const outcome = await takeUpUpload(taken)
      if (outcome === 'found') onFound?.()
      setIsRefused(outcome === 'refused')
    } catch {
      setIsRefused(true) // files that were moved or thrown away, and a disc that is out of its drive
    } finally {
      setIsAsking(false)
    }
  }
  return (
    <Banner tone="priority">
      <strong>
        {upload.destination
          ? t('upload.interrupted.to', { destination: upload.destination.name })
          : t('upload.interrupted.title')}
      </strong>
      <div>{t(`upload.interrupted.${wordsOf(upload)}`, facts)}</div>
      {upload.typed?.length ? <div>{t('upload.interrupted.typed')}</div> : undefined}
      {isRefused && <div role="alert">{t('upload.interrupted.refused')}</div>}
      <div className={style.buttons}>
        {stored && (
          <Button size="sm" loading={isAsking} onClick={() => void handleGoOn(stored)}>
            {t('upload.interrupted.goOn')}
          </Button>
        )}
        <Button size="sm" variant="default" onClick={onForget}>
          {t('upload.interrupted.forget')}
        </Button>
      </div>
    </Banner>
  )
}

/** The sentence of an upload: one press goes on, or the files are chosen again, with their form where they have one. */
function wordsOf(upload: StoredUpload | UploadNote) {
  if ('kind' in upload && upload.kind === 'other') return 'otherText'
  return 'handles' in upload && upload.handles.length > 0 ? 'text' : 'chooseText'
}
