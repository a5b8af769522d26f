import type { Types } from '@cornerstonejs/core'
import { clientHeaders } from '@hilum/contract/client-headers'
import type { DicomObject } from '../dicom-json.ts'
import { holdEmbeddedBits } from '../embedded-bits.ts'
import { faultOfStatus, reasonOf, RequestError } from '../request-error.ts'
import { findTooLarge } from '../drawable-size.ts'
import { makerOf } from '../hard-images.ts'
import { drawSentence } from './drawn-sentence.ts'
import { readPictureImage, readValueImage, UNCOMPRESSED } from '../value-image.ts'
import { hasPlanes, pixelAttributesOf } from './natural-instance.ts'
import { wordsOfFault } from '../fault-words.ts'
import type { LoadImage, NaturalInstance, OhifServices } from './ohif.ts'
import { hasStoredWindow, sampledPlaces, type SeriesWindow, windowOf } from './series-window.ts'
import type { WholeStudy } from './whole-studies.ts'

/** Before OHIF's own answers. */
const FIRST = 100_000
const SCHEME = 'wadors:'
const COLOUR = {
  samplesPerPixel: 3,
  photometricInterpretation: 'RGB',
  planarConfiguration: 0,
  bitsAllocated: 8,
  bitsStored: 8,
  highBit: 7,
  pixelRepresentation: 0,
}

/**
 * Images as both viewers show them: one window for a series that stores none, bits of overlays inside the pixels taken
 * out of the values, floating point by its own range, palette colours as the server draws them.
 */
export function createImages(
  sid: string,
  studyOf: (studyUid: string) => WholeStudy,
  services: () => OhifServices | undefined,
): (load: LoadImage) => LoadImage {
  const windows = new Map<string, SeriesWindow>()
  const asked = new Map<string, Promise<SeriesWindow | undefined>>()
  /** Images that were loaded for a window and not shown yet. */
  const ahead = new Map<string, Promise<Types.IImage>>()
  /** Images that the library could not decode, and that the server has drawn instead or given a reason for. */
  const asPictures = new Set<string>()
  let isTelling = false

  const instanceOf = (imageId: string) =>
    window.cornerstone?.metaData.get('instance', imageId) as NaturalInstance | undefined

  /** The library asks for the window and the kind of pixels of an image when it prepares a place for it. */
  function tellLibrary(): void {
    if (isTelling || !window.cornerstone) return
    isTelling = true
    window.cornerstone.metaData.addProvider((type, imageId) => {
      // our own layers draw the planes, and OHIF's tool none of them
      if (type === 'overlayPlaneModule') return { overlays: [] }
      if ((type !== 'voiLutModule' && type !== 'imagePixelModule') || typeof imageId !== 'string') return undefined
      const instance = instanceOf(imageId)
      if (!instance) return undefined
      if (type === 'imagePixelModule')
        return asPictures.has(imageId) || makerOf(pixelAttributesOf(instance)) === 'server'
          ? { ...COLOUR, rows: instance['Rows'], columns: instance['Columns'] }
          : undefined
      const found = windows.get(String(instance['SeriesInstanceUID']))
      return found && { windowCenter: [found.center], windowWidth: [found.width], voiLUTFunction: found.voiLUTFunction }
    }, FIRST)
  }

  async function fetchFrame(address: string, accept: string): Promise<Response> {
    const response = await fetch(address, { headers: { ...clientHeaders(sid), accept }, credentials: 'omit' }).catch(
      (cause: unknown) => {
        throw new RequestError('unreachable', cause)
      },
    )
    if (!response.ok) throw new RequestError(faultOfStatus(response.status), undefined, await reasonOf(response))
    return response
  }

  async function loadValues(imageId: string, attributes: DicomObject): Promise<Types.IImage> {
    const response = await fetchFrame(imageId.slice(SCHEME.length), UNCOMPRESSED)
    const { image, embedded } = readValueImage(imageId, attributes, new Uint8Array(await response.arrayBuffer()))
    holdEmbeddedBits(image, embedded)
    return image
  }

  async function loadPicture(imageId: string): Promise<Types.IImage> {
    const response = await fetchFrame(`${imageId.slice(SCHEME.length)}/rendered?overlays=false`, 'image/png')
    return readPictureImage(imageId, await response.blob())
  }

  /** The server's picture of an image, or its reason why there is none, written where the picture would be. */
  async function loadInstead(imageId: string): Promise<Types.IImage> {
    const picture = await loadPicture(imageId).catch((error: unknown) => sentenceInstead(imageId, error))
    asPictures.add(imageId)
    return picture
  }

  function sentenceInstead(imageId: string, fault: unknown): Promise<Types.IImage> {
    asPictures.add(imageId)
    return drawSentence(imageId, wordsOfFault(fault), instanceOf(imageId))
  }

  /** Overlay planes may lie inside the pixels, which OHIF's own instance does not tell. */
  async function wholeAttributes(instance: NaturalInstance): Promise<DicomObject> {
    const study = studyOf(String(instance['StudyInstanceUID']))
    const series = await study.instancesOf(String(instance['SeriesInstanceUID']))
    return series.get(String(instance['SOPInstanceUID'])) ?? pixelAttributesOf(instance)
  }

  return (load) => {
    const loadOne: LoadImage = (imageId, options) => {
      const known = ahead.get(imageId)
      if (known) {
        ahead.delete(imageId)
        return { promise: known }
      }
      const instance = instanceOf(imageId)
      if (!instance || !hasPlanes(instance)) return loadBy(instance && pixelAttributesOf(instance), imageId, options)
      const whole = wholeAttributes(instance)
      return {
        promise: whole.then(
          (attributes) => loadBy(attributes, imageId, options).promise,
          () => loadInstead(imageId), // the server masks the bits itself
        ),
      }
    }

    function loadBy(
      attributes: DicomObject | undefined,
      imageId: string,
      options: object | undefined,
    ): ReturnType<LoadImage> {
      const maker = attributes ? makerOf(attributes) : 'decoder'
      const tooLarge = attributes && findTooLarge(attributes)
      if (tooLarge) return { promise: sentenceInstead(imageId, tooLarge) }
      if (maker === 'server') return { promise: loadInstead(imageId) }
      const { promise, cancelFn } =
        attributes && maker === 'values'
          ? { promise: loadValues(imageId, attributes), cancelFn: undefined }
          : load(imageId, options)
      return { promise: promise.catch(() => loadInstead(imageId)), cancelFn }
    }

    async function findWindow(seriesUid: string, first: Types.IImage): Promise<SeriesWindow | undefined> {
      const imageIds = (services()?.displaySetService.getDisplaySetsForSeries(seriesUid) ?? []).flatMap((set) =>
        set.imageIds?.length ? set.imageIds : (set.images ?? []).flatMap(({ imageId }) => imageId ?? []),
      )
      const others = sampledPlaces(imageIds.length).flatMap((at) => imageIds[at] ?? [])
      const loaded = await Promise.all(
        others.map((imageId) => {
          if (imageId === first.imageId) return first
          const loading = loadOne(imageId, {}).promise
          ahead.set(imageId, loading)
          return loading
        }),
      )
      const instance = instanceOf(first.imageId)
      const found = instance && windowOf([first, ...loaded], pixelAttributesOf(instance))
      if (found) windows.set(seriesUid, found)
      return found
    }

    /** The window of the series, for an image that has none. */
    async function complete(image: Types.IImage): Promise<Types.IImage> {
      const instance = instanceOf(image.imageId)
      if (!instance || image.color || hasStoredWindow(pixelAttributesOf(instance))) return image
      const seriesUid = String(instance['SeriesInstanceUID'])
      const finding = asked.get(seriesUid) ?? findWindow(seriesUid, image)
      asked.set(seriesUid, finding)
      const found = await finding
      if (found)
        Object.assign(image, {
          windowCenter: found.center,
          windowWidth: found.width,
          voiLUTFunction: found.voiLUTFunction,
        })
      return image
    }

    return (imageId, options) => {
      tellLibrary()
      const { promise, cancelFn } = loadOne(imageId, options)
      return { promise: promise.then(complete), cancelFn }
    }
  }
}
