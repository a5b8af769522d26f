import { texts } from '../texts.ts'

/** How much of an image is shown as it was stored, or as the chosen presentation state wants it. */
type DrawnImage = {
  /** Everything that may lie over the image has come from the server. */
  isWhole: boolean
  /** A presentation state is chosen and speaks of the image. */
  isChosen: boolean
  /** Tables of values that the image goes through are drawn. */
  areTablesDrawn: boolean
  /** A part of the presentation counts in other units, or in other pixels, than the picture has. */
  isPartLeftOut: boolean
  /** Layers of the image have no place on the picture of the server, which has other pixels. */
  isStretched: boolean
}

export function remarksOn(image: DrawnImage): string[] {
  const isOtherwise = !image.areTablesDrawn || image.isPartLeftOut
  return [
    ...(image.isWhole ? [] : [texts.layersUnread]),
    ...(isOtherwise ? [image.isChosen ? texts.presentationPartly : texts.tableNotDrawn] : []),
    ...(image.isStretched ? [texts.layersNotPlaced] : []),
  ]
}
