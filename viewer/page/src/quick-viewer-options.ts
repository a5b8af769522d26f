import type { ShownPlace } from './full-viewer.ts'
import type { LengthStoring } from './length-controls.ts'
import type { LinkedImagePlace } from './linked-scroll.ts'
import type { Room } from './room.ts'

export type QuickViewerOptions = {
  /** Namespace of the record. */
  namespace: string
  studyUid: string
  sid: string
  /** The page around has a banner of its own: two would only take room from the picture. */
  isPatientShown: boolean
  /** Undefined where another viewer is around. */
  onFullScreen: (() => void) | undefined
  /** Undefined where the page around has no place for reports. */
  onReports: (() => void) | undefined
  onClose: (() => void) | undefined
  /** Escape; closes where nothing is said. */
  onEscape?: () => void
  /** Undefined for who may not keep measurements with the study. */
  storing: LengthStoring | undefined
  /** Told of the place that is shown. */
  onPlace: (place: LinkedImagePlace | undefined, isFollowing: boolean) => void
  /** Told of the patient once the study has come. */
  onWho: (who: string) => void
  /** Told of the room that banner, tools, messages and strip need, as often as it changes. */
  onRoom: (room: Room) => void
  /** More controls for the toolbar. */
  controls: HTMLElement[]
}

export type QuickViewer = {
  root: HTMLElement
  /** The image on the screen. */
  shown: () => ShownPlace
  /** Whether a picture is waited for, or images run. */
  isBusy: () => boolean
  /** Shows the image nearest to a place. */
  follow: (place: LinkedImagePlace) => void
  setBanner: (isShown: boolean) => void
  /** Leaves the patient out of the banner, whom another banner on the screen names. */
  setSamePatient: (isSame: boolean) => void
  /** Undefined for the room that it needs by itself. */
  giveRoom: (room: Room | undefined) => void
  /** Loads no images ahead while nobody sees this viewer. */
  setUnseen: (isUnseen: boolean) => void
  /** Words above the picture, in place of those before. */
  note: (text: string) => void
}
