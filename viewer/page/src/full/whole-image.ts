import type { Segmentation } from '../segmentation.ts'
import type { ViewerImage } from '../series-images.ts'
import type { StudyMarks } from '../study-marks.ts'
import { mayHoldLayers } from './natural-instance.ts'
import type { NaturalInstance } from './ohif.ts'
import type { WholeStudy } from './whole-studies.ts'

type FoundImage = {
  /** Undefined where nothing can lie over the image, or its series did not answer. */
  image: ViewerImage | undefined
  marks: StudyMarks
  /** Everything that may lie over the image was answered. */
  isWhole: boolean
}

export function instanceOf(imageId: string | undefined): NaturalInstance | undefined {
  if (imageId === undefined) return undefined
  return window.cornerstone?.metaData.get('instance', imageId) as NaturalInstance | undefined
}

/** OHIF draws segmentations in bits, once somebody loads them there. */
export function isDrawnByUs({ kind }: Segmentation): boolean {
  return kind !== 'bits'
}

/** Whether something of ours may lie over an image: of the image itself, or of the objects of its study. */
export function mayBeDrawnOver(instance: NaturalInstance, marks: StudyMarks): boolean {
  const { states, segmentations, structureSets } = marks
  return states.length > 0 || structureSets.length > 0 || segmentations.some(isDrawnByUs) || mayHoldLayers(instance)
}

/** An image as the DICOM JSON model has it, with the objects of its study that are about images. */
export async function findWholeImage(
  study: WholeStudy,
  imageId: string,
  instance: NaturalInstance,
): Promise<FoundImage> {
  const marks = await study.readMarks()
  if (!mayBeDrawnOver(instance, marks)) return { image: undefined, marks, isWhole: marks.isWhole }
  const frame = Number(/\/frames\/(\d+)/.exec(imageId)?.[1] ?? 1)
  const [seriesUid, sopUid] = [String(instance['SeriesInstanceUID']), String(instance['SOPInstanceUID'])]
  // a remark tells of an image that did not come
  const image = await study.imageOf(seriesUid, sopUid, frame).catch(() => undefined)
  return { image, marks, isWhole: marks.isWhole && image !== undefined }
}
