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

/** Rows first: Pixel Spacing, Imager Pixel Spacing, Nominal Scanned Pixel Spacing, Pixel Aspect Ratio. */
const spacingTags = [0x00280030, 0x00181164, 0x00182010, 0x00280034]

/** Height of a pixel over its width; 1 when nothing sensible is said. Source: PS3.3 C.7.6.3.1.7. */
export function pixelAspect(attributes: Attributes, frame: number): number {
  const ofFrame = functionalGroup(attributes, frame, 0x00289110).decimals(0x00280030)
  const said = [ofFrame, ...spacingTags.map((tag) => attributes.decimals(tag))].find((one) => one.length === 2)
  const [height = 1, width = 1] = said ?? []
  const aspect = height / width
  // a change that nobody sees is not worth making every pixel anew
  const isVisible = Math.abs(aspect - 1) > 0.005
  return Number.isFinite(aspect) && isVisible && aspect > 0.05 && aspect < 20 ? aspect : 1
}

/** The frame that stands for all: the one the object names, else the middle one, which shows more than the first. */
export function representativeFrame(attributes: Attributes, frameCount: number): number {
  const named = (attributes.short(0x00286010) ?? 0) - 1
  return named >= 0 && named < frameCount ? named : Math.floor(frameCount / 2)
}
