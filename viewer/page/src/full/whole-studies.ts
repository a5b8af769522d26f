import { type DicomObject, jsonTextOf } from '../dicom-json.ts'
import { createStudySource, type StudySource } from '../dicomweb.ts'
import { rememberAnswers } from '../remember-answers.ts'
import type { ViewerImage } from '../series-images.ts'
import { readStripSeries } from '../series-strip.ts'
import { NO_MARKS, readStudyMarks, type StudyMarks } from '../study-marks.ts'

/** A study in the DICOM JSON model that both viewers read. OHIF's own instances name the planes of all groups alike. */
export type WholeStudy = {
  source: StudySource
  /** Instances of a series by their UID. @throws RequestError */
  instancesOf: (seriesUid: string) => Promise<ReadonlyMap<string, DicomObject>>
  /** The same object for the same image each time; undefined where its series has no such instance. @throws RequestError */
  imageOf: (seriesUid: string, sopUid: string, frame: number) => Promise<ViewerImage | undefined>
  /** Objects about the images of the study, as far as they came; missing ones are asked for again after a pause. */
  readMarks: () => Promise<StudyMarks>
}

/** A server that did not answer is not asked again by each slice that somebody scrolls over. */
const PAUSE_MS = 2500

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
  const images = new Map<string, ViewerImage>()
  let marks: Promise<StudyMarks> | undefined
  const instancesOf = rememberAnswers(
    async (seriesUid) =>
      new Map((await source.listInstances(seriesUid)).map((one) => [jsonTextOf(one, '00080018'), one] as const)),
  )

  async function askForMarks(): Promise<StudyMarks> {
    // marks that are not whole are told by a remark over the images
    const series = await source.listSeries().catch(() => undefined)
    const found = series
      ? await readStudyMarks(series.map(readStripSeries), async (uid) => [...(await instancesOf(uid)).values()])
      : { ...NO_MARKS, isWhole: false }
    if (!found.isWhole)
      setTimeout(() => {
        marks = undefined
      }, PAUSE_MS)
    return found
  }

  return {
    source,
    instancesOf,
    imageOf: async (seriesUid, sopUid, frame) => {
      const name = `${sopUid}/${frame}`
      const known = images.get(name)
      if (known) return known
      const instance = (await instancesOf(seriesUid)).get(sopUid)
      if (!instance) return undefined
      const image = images.get(name) ?? { instance, sopUid, frame, framesPerSecond: 1 }
      images.set(name, image)
      return image
    },
    readMarks: () => (marks ??= askForMarks()),
  }
}
