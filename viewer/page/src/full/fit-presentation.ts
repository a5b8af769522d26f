import type { Types } from '@cornerstonejs/core'
import type { Presentation } from '../presentation-state.ts'
import { isSentence } from './drawn-sentence.ts'
import type { NaturalInstance } from './ohif.ts'

type DrawnImage = Pick<Types.IImage, 'color' | 'height' | 'preScale' | 'width'>
type FittedPresentation = { presentation: Presentation | undefined; isPartLeftOut: boolean }

/**
 * The part of a presentation that the drawn picture can take: OHIF counts positron emission images in uptake values (SUV), and
 * pictures of the server have neither the values nor always the pixels of the image.
 */
export function fitPresentation(
  presentation: Presentation | undefined,
  drawn: DrawnImage,
  instance: NaturalInstance,
): FittedPresentation {
  if (!presentation || isSentence(drawn)) return { presentation: undefined, isPartLeftOut: false }
  const hasWindow = presentation.window === undefined || hasStoredUnits(drawn)
  const hasArea = presentation.area === undefined || isAsLarge(drawn, instance)
  return {
    presentation: {
      ...presentation,
      window: hasWindow ? presentation.window : undefined,
      area: hasArea ? presentation.area : undefined,
    },
    isPartLeftOut: !hasWindow || !hasArea,
  }
}

/** Whether the values of a picture are those of the stored rescale. */
export function hasStoredUnits({ color, preScale }: Pick<DrawnImage, 'color' | 'preScale'>): boolean {
  return !color && !(preScale?.scaled && preScale.scalingParameters?.suvbw)
}

/** The server stretches its own pictures of pixels that are not square: planes would lie elsewhere on them. */
export function isAsLarge({ width, height }: Pick<DrawnImage, 'height' | 'width'>, instance: NaturalInstance): boolean {
  return Number(instance['Columns']) === width && Number(instance['Rows']) === height
}
