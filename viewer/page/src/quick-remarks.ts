import type { Presentation } from './presentation-state.ts'
import type { ViewerImage } from './series-images.ts'
import type { StoredLengths } from './stored-lengths.ts'
import { keyNoteOf, type StudyMarks } from './study-marks.ts'
import { texts } from './texts.ts'

type Shown = {
  image: ViewerImage | undefined
  presentation: Presentation | undefined
  areTablesDrawn: boolean
  areLayersWhole: boolean
  marks: StudyMarks
  stored: StoredLengths
}

/** Lines about an image in the quick viewer: that it is a key image, and whatever of it is not on the screen. */
export function quickRemarks(shown: Shown): string[] {
  const { image, presentation, areTablesDrawn, areLayersWhole, marks, stored } = shown
  const note = image && keyNoteOf(marks, image)
  return [
    ...(note ? [texts.keyImage(note.title, note.text)] : []),
    ...(areTablesDrawn ? [] : [presentation?.hasTables ? texts.presentationPartly : texts.tableNotDrawn]),
    ...(areLayersWhole && marks.isWhole ? [] : [texts.layersUnread]),
    ...(stored.isWhole ? [] : [texts.lengthsUnread]),
  ]
}
