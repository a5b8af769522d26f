import type { Types } from '@cornerstonejs/core'

/** The parts of OHIF 3.13 and of its copy of cornerstone that our script uses. */

/** An instance as OHIF keeps it: attributes by their keywords, those without one by their number. */
export type NaturalInstance = Readonly<Record<string, unknown>>

type ImageLoad = { promise: Promise<Types.IImage>; cancelFn?: (() => void) | undefined }
export type LoadImage = (imageId: string, options?: object) => ImageLoad

type DisplaySet = {
  SeriesInstanceUID?: string
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
    /** Stores a report, where OHIF asks its data source for that. */
    hilumStore?: (report: ArrayBuffer, studyUid: string | undefined) => Promise<void>
  }
}
