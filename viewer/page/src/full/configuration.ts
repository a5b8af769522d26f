import { VIEWER_BASE } from '../../../src/viewer-base.ts'
import { presentPerson } from '../banner-texts.ts'
import { isDarkOnLight } from '../dark-on-light.ts'
import { RequestError } from '../request-error.ts'
import { compareImages } from './image-sorting.ts'
import { createImages } from './images.ts'
import { createMeasurementStore } from '../measurement-store.ts'
import { listenForEscape } from './leave-by-escape.ts'
import { nameOfListed, numberBelow, thumbnailOf } from './listed-series.ts'
import { measurementNameOf } from './measurement-name.ts'
import { pixelAttributesOf } from './natural-instance.ts'
import type { ExtensionContext, OhifServices } from './ohif.ts'
import { lettersAt } from './side-letters.ts'
import { drawOverViewports } from './viewport-layers.ts'
import { instanceOf } from './whole-image.ts'
import { createWholeStudies } from './whole-studies.ts'

/** Maps of floating point values, which OHIF only lays over the images they refer to. */
const PARAMETRIC_MAP = '1.2.840.10008.5.1.4.1.1.30'
const STACK_HANDLER = '@ohif/extension-default.sopClassHandlerModule.stack'

/** OHIF's router wants no slash at the end. */
const BASE = VIEWER_BASE.replace(/\/$/, '')

type ElementMaker = { createElement: (name: string, properties: object, ...children: unknown[]) => unknown }

/*
 * OHIF's configuration. The configuration is a function because its permissions are known only in the browser: the page
 * behind /proviewer, which frames OHIF, holds the derived sid and the DICOMweb root in `window.hilumViewer` (see
 * docs/decisions/0004-viewer-authorisation.md). Without that page there is nothing to show.
 */
window.config = Object.assign(configure, { routerBasename: BASE })

function configure(): object {
  const host = window.parent === window ? undefined : (window.parent as Window).hilumViewer
  if (!host) {
    window.location.replace('/')
    throw new Error('The viewer opens from a study only')
  }
  const { sid, namespace, dicomWebRoot, measurementsOf, mayStore, switches, dateFormat } = host
  document.documentElement.toggleAttribute('data-may-not-keep', !mayStore)
  window.hilumStore = createMeasurementStore(sid, measurementsOf)
  window.hilumClose = closeViewer
  window.hilumDateFormat = dateFormat
  // a name that OHIF has written before comes without its parts
  window.hilumName = (name) => (name.includes(', ') && !name.includes('^') ? name : presentPerson(name))
  window.hilumMeasurementName = measurementNameOf
  window.hilumSeriesName = nameOfListed
  window.hilumSeriesNumber = numberBelow
  window.hilumThumbnail = thumbnailOf
  window.hilumLetters = lettersAt
  window.hilumIsDarkOnLight = (imageId) => {
    const instance = instanceOf(imageId)
    return instance !== undefined && isDarkOnLight(pixelAttributesOf(instance))
  }
  let services: OhifServices | undefined
  const studyOf = createWholeStudies(namespace, sid)
  window.hilumLoader = createImages(sid, studyOf, () => services)
  drawOverViewports(studyOf, switches)
  listenForEscape(closeViewer)
  // OHIF would tell of a failed part; the place of the picture has the reason already
  window.addEventListener('unhandledrejection', (event) => {
    if (!isOfImage(event.reason)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  const hilum = {
    id: 'hilum',
    preRegistration: ({ servicesManager }: ExtensionContext) => {
      services = servicesManager.services
      services.userAuthenticationService.setServiceImplementation({
        getAuthorizationHeader: () => ({ Authorization: `Bearer ${sid}` }),
      })
    },
    onModeEnter: ({ extensionManager }: ExtensionContext) => {
      const drawn = extensionManager.getModuleEntry(STACK_HANDLER)?.sopClassUids
      // OHIF leaves maps without references to the handlers after its own
      if (drawn && !drawn.includes(PARAMETRIC_MAP)) drawn.push(PARAMETRIC_MAP)
    },
  }
  return {
    routerBasename: BASE,
    showStudyList: false,
    extensions: [hilum],
    modes: ['@ohif/mode-longitudinal'],
    customizationService: [
      {
        'ohif.tours': { $set: [] },
        instanceSortingCriteria: {
          $set: { sortFunctions: { inOrder: compareImages }, defaultSortFunctionName: 'inOrder' },
        },
      },
    ],
    whiteLabeling: {
      createLogoComponentFn: (maker: ElementMaker) =>
        maker.createElement(
          'button',
          { id: 'hilum-close', type: 'button', onClick: closeViewer, onKeyDown: closeByKey },
          'Close',
        ),
    },
    investigationalUseDialog: { option: 'never' },
    maxNumberOfWebWorkers: 3,
    showWarningMessageForCrossOrigin: false,
    showCPUFallbackMessage: false,
    showLoadingIndicator: true,
    strictZSpacingForVolumeViewport: true,
    groupEnabledModesFirst: true,
    showErrorDetails: 'never',
    showPatientInfo: 'visibleReadOnly',
    maxNumRequests: { interaction: 100, thumbnail: 5, prefetch: 25 },
    studyPrefetcher: { enabled: false },
    defaultDataSourceName: 'dicomweb',
    dataSources: [
      {
        namespace: '@ohif/extension-default.dataSourcesModule.dicomweb',
        sourceName: 'dicomweb',
        configuration: {
          friendlyName: 'Hilum',
          name: 'hilum',
          wadoUriRoot: dicomWebRoot,
          qidoRoot: dicomWebRoot,
          wadoRoot: dicomWebRoot,
          qidoSupportsIncludeField: true,
          imageRendering: 'wadors',
          // as the server draws them: small, masked, in the window of the series
          thumbnailRendering: 'thumbnail',
          thumbnailRequestStrategy: 'fetch',
          enableStudyLazyLoad: true,
          supportsFuzzyMatching: false,
          supportsWildcard: true,
          dicomUploadEnabled: false,
          omitQuotationForMultipartRequest: true,
          bulkDataURI: { enabled: true },
        },
      },
    ],
    // the place of the picture has the reason
    httpErrorHandler: () => undefined,
  }
}

function isOfImage(reason: unknown): boolean {
  if (reason instanceof XMLHttpRequest || reason instanceof RequestError) return true
  return reason instanceof Error && reason.message.startsWith("Couldn't retrieve ")
}

function closeViewer(): void {
  window.parent.postMessage(JSON.stringify({ action: 'close-viewer' }), window.location.origin)
}

/** OHIF keeps Enter for itself wherever the focus is, so that the button would not hear of it as a press. */
function closeByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== ' ') return
  event.preventDefault()
  event.stopPropagation()
  closeViewer()
}
