import { createStudySource } from './dicomweb.ts'
import { readStripSeries } from './series-strip.ts'
import { readStudyMarks } from './study-marks.ts'
import { texts } from './texts.ts'

/**
 * Objects of a study that OHIF cannot draw over the images and the quick viewer can, in a sentence: presentation states
 * and label maps.
 * @returns undefined where there are none, or the study did not answer
 */
export async function undrawnInFull(namespace: string, studyUid: string, sid: string): Promise<string | undefined> {
  const source = createStudySource(namespace, studyUid, sid)
  try {
    const list = (await source.listSeries()).map(readStripSeries)
    const { states, segmentations } = await readStudyMarks(list, source.listInstances)
    const hasMaps = segmentations.some(({ kind }) => kind === 'labels')
    if (states.length > 0) return hasMaps ? texts.fullWithoutBoth : texts.fullWithoutStates
    return hasMaps ? texts.fullWithoutMaps : undefined
  } catch {
    return undefined // the viewer itself tells that the study does not answer
  }
}
