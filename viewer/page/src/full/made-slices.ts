import { instanceOf, mayBeDrawnOver } from './whole-image.ts'
import type { EnabledViewport, NaturalInstance } from './ohif.ts'
import type { WholeStudy } from './whole-studies.ts'

/** Kinds of places in which the library makes slices, or a body, of a stack of images. */
const MADE_ANEW = new Set(['orthographic', 'perspective', 'planarNext', 'volume3d', 'volume3dNext'])

/**
 * Whether images that a place makes its slices of have something that is not drawn over them.
 * @returns unknown while the images are not there, or their study has not answered
 */
export async function hasUndrawn(
  viewport: EnabledViewport,
  studyOf: (studyUid: string) => WholeStudy,
): Promise<boolean | 'unknown'> {
  if (!MADE_ANEW.has(viewport.type)) return false
  const instances = imageIdsOf(viewport)
    .map(instanceOf)
    .filter((instance): instance is NaturalInstance => instance !== undefined)
  const [first] = instances
  if (!first) return 'unknown'
  const marks = await studyOf(String(first['StudyInstanceUID'])).readMarks()
  if (instances.some((instance) => mayBeDrawnOver(instance, marks))) return true
  return marks.isWhole ? false : 'unknown'
}

/** Planes that were not acquired, and bodies, name no current image. */
function imageIdsOf(viewport: EnabledViewport): readonly string[] {
  try {
    return viewport.getImageIds?.() ?? []
  } catch {
    // the library throws until the volume is there
    return []
  }
}
