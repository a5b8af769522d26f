import type { Attributes } from './attributes.ts'

const sharedGroups = 0x52009229
const perFrameGroups = 0x52009230

/**
 * Where an attribute of a functional group is to be read: the item for this frame, else the one shared by all
 * frames, else the data set itself.
 */
export function functionalGroup(attributes: Attributes, frame: number, groupTag: number): Attributes {
  const ownItem = attributes.items(perFrameGroups)[frame]?.items(groupTag)[0]
  return ownItem ?? attributes.items(sharedGroups)[0]?.items(groupTag)[0] ?? attributes
}

/** Height of a pixel over its width; 1 when nothing sensible is said. */
export function pixelAspect(attributes: Attributes, frame: number): number {
  const spacing = functionalGroup(attributes, frame, 0x00289110).decimals(0x00280030)
  const ratio = attributes.decimals(0x00280034)
  const [height = 1, width = 1] = spacing.length === 2 ? spacing : ratio.length === 2 ? ratio : [1, 1]
  const aspect = height / width
  return Number.isFinite(aspect) && aspect > 0.05 && aspect < 20 ? aspect : 1
}

/** The frame that stands for all: the one the object names, else the middle one, which shows more than the first. */
export function representativeFrame(attributes: Attributes, frameCount: number): number {
  const named = (attributes.short(0x00286010) ?? 0) - 1
  return named >= 0 && named < frameCount ? named : Math.floor(frameCount / 2)
}
