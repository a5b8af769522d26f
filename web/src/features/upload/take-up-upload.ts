import { hexDigestOf, type StoredUpload } from '../../session/stored-uploads.ts'
import { mayRead, walkHandles } from './file-handles.ts'
import { startUpload } from './transfer-actions.ts'
import { listStudies, seriesKey } from './upload-plan.ts'
import { planOf, useUpload } from './upload-store.ts'
import { chooseDestination, searchExams } from './wizard-actions.ts'

const { getState: read, setState: put } = useUpload

/**
 * Takes up an upload that was interrupted: asks the browser for its files, reads them again, and goes on where nothing
 * was typed about the patients. Otherwise the confirm step, or the page of the request, asks once more.
 * @returns refused: the browser gives the files no more; shown: what is found there now is for the person to look at;
 * found: the same studies are chosen again
 */
export async function takeUpUpload(upload: StoredUpload): Promise<'refused' | 'shown' | 'found'> {
  if (!(await mayRead(upload.handles))) return 'refused'
  // the browser's question may stand for long, and another upload may run by now
  if (read().transfer) return 'shown'
  const { handles, key, destination } = upload
  let goesOn = false
  if (destination) {
    chooseDestination(destination)
    put({ step: 1 })
  }
  await searchExams((signal) => walkHandles(handles, signal), undefined, {
    source: { handles, key },
    onFound: async (plan) => {
      const wanted = new Set(upload.studies)
      const uids = listStudies(plan).map(({ studyUid }) => studyUid)
      const digests = await Promise.all(uids.map(hexDigestOf))
      const chosen = uids.filter((_uid, k) => wanted.has(digests[k] ?? ''))
      const unwanted = new Set(upload.leftOut)
      const series = listStudies(plan).flatMap((study) =>
        study.series.map(({ seriesUid }) => seriesKey(study.studyUid, seriesUid)),
      )
      const seriesDigests = unwanted.size > 0 ? await Promise.all(series.map(hexDigestOf)) : []
      const leftOut = new Set(series.filter((_key, k) => unwanted.has(seriesDigests[k] ?? '')))
      const isWhole = chosen.length === wanted.size
      // another folder was chosen since, or another person signed in
      if (planOf(read().search) !== plan) return true
      if (chosen.length > 0) put({ selected: new Set(chosen), leftOut })
      put({ source: { handles, key, isPartial: !isWhole, lookedAt: new Set(chosen) } })
      // reading takes its time, in which the person may choose another place: there nothing goes unasked
      goesOn = isWhole && (!destination || read().destination?.namespaceId === destination.namespaceId)
      return goesOn
    },
  })
  if (!goesOn) return 'shown'
  if (!destination) return 'found'
  put({ step: 3 })
  if (upload.isPlain) await startUpload()
  return 'found'
}
