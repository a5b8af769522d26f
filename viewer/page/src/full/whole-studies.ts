import { type DicomObject, jsonTextOf } from '../dicom-json.ts'
import { createStudySource, type StudySource } from '../dicomweb.ts'
import { rememberAnswers } from '../remember-answers.ts'
import { readStripSeries } from '../series-strip.ts'
import { readStudyMarks, type StudyMarks } from '../study-marks.ts'

/** A study in the DICOM JSON model that both viewers read. OHIF's own instances name the planes of all groups alike. */
export type WholeStudy = {
  source: StudySource
  /** Instances of a series by their UID. @throws RequestError */
  instancesOf: (seriesUid: string) => Promise<ReadonlyMap<string, DicomObject>>
  /** Objects about the images of the study; none where the study does not answer, as the viewer itself tells. */
  readMarks: () => Promise<StudyMarks | undefined>
}

/** The studies of a namespace, each asked for once. */
export function createWholeStudies(namespace: string, sid: string): (studyUid: string) => WholeStudy {
  const known = new Map<string, WholeStudy>()
  return (studyUid) => {
    const found = known.get(studyUid) ?? createWholeStudy(createStudySource(namespace, studyUid, sid))
    known.set(studyUid, found)
    return found
  }
}

function createWholeStudy(source: StudySource): WholeStudy {
  const instancesOf = rememberAnswers(
    async (seriesUid) =>
      new Map((await source.listInstances(seriesUid)).map((one) => [jsonTextOf(one, '00080018'), one] as const)),
  )
  const marks = rememberAnswers(async () =>
    readStudyMarks((await source.listSeries()).map(readStripSeries), async (seriesUid) => [
      ...(await instancesOf(seriesUid)).values(),
    ]),
  )
  return { source, instancesOf, readMarks: () => marks('').catch(() => undefined) }
}
