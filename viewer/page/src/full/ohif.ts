import type { Types } from '@cornerstonejs/core'
import type { OrientationLetters } from '../orientation.ts'

/** The parts of OHIF 3.13 and of its copy of cornerstone that our script uses. */

/** An instance as OHIF keeps it: attributes by their keywords, those without one by their number. */
export type NaturalInstance = Readonly<Record<string, unknown>>

type ImageLoad = { promise: Promise<Types.IImage>; cancelFn?: (() => void) | undefined }
export type LoadImage = (imageId: string, options?: object) => ImageLoad

/** A series, or a part of one, as OHIF lists and shows it. */
export type DisplaySet = {
  SeriesInstanceUID?: string
  SeriesDescription?: string
  Modality?: string
  instances?: readonly NaturalInstance[]
  instance?: NaturalInstance
  images?: readonly { imageId?: string }[]
  imageIds?: readonly string[]
}

export type OhifServices = {
  userAuthenticationService: {
    setServiceImplementation: (functions: { getAuthorizationHeader: () => Record<string, string> }) => void
  }
  displaySetService: { getDisplaySetsForSeries: (seriesUid: string) => DisplaySet[] | undefined }
}

export type ExtensionContext = {
  servicesManager: { services: OhifServices }
  extensionManager: { getModuleEntry: (id: string) => { sopClassUids?: string[] } | undefined }
}

/** A place of images as the drawing library has it. */
export type EnabledViewport = { type: string; getImageIds?: () => readonly string[] }
export type StackViewport = Types.IStackViewport

declare global {
  interface Window {
    /** The configuration that OHIF starts with. */
    config?: unknown
    /** OHIF's copy of the drawing library, once it has started. */
    cornerstone?: {
      metaData: {
        get: (type: string, imageId: string) => unknown
        addProvider: (provider: (type: string, imageId: unknown) => unknown, priority: number) => void
      }
      cache: { getImage: (imageId: string) => Types.IImage | undefined }
      getEnabledElement: (element: HTMLDivElement) => { viewport: EnabledViewport } | undefined
      getShouldUseCPURendering: () => boolean
    }
    /** Taken up by OHIF where it registers its loader (viewer/src/ohif-texts.ts). */
    hilumLoader?: (load: LoadImage) => LoadImage
    /** Leaves the viewer, where OHIF has no head to do so. */
    hilumClose?: () => void
    /** The form of dates, as OHIF's own library writes it; the month stands in letters without. */
    hilumDateFormat?: string
    /** A name as both viewers write it. */
    hilumName?: (name: string) => string
    /** The name of a measurement that nobody named. */
    hilumMeasurementName?: (measurement: { toolName?: string }) => string
    /** The name of a series in the list, and where it is said again by its number. */
    hilumSeriesName?: (series: DisplaySet) => string
    hilumSeriesNumber?: (name: string, number: unknown) => string
    /** The address of a series' thumbnail, as it is shown. */
    hilumThumbnail?: (series: DisplaySet, address: string | undefined) => string | undefined
    /** Whether an image is shown dark on light until somebody inverts it. */
    hilumIsDarkOnLight?: (imageId: string | undefined) => boolean
    /** Letters at the sides of an image, by those of the plane that OHIF laid it in. */
    hilumLetters?: (imageId: string | undefined, letters: OrientationLetters) => OrientationLetters | undefined
    /** Stores a report, where OHIF asks its data source for that. */
    hilumStore?: (report: ArrayBuffer, studyUid: string | undefined) => Promise<void>
  }
}
