import { VIEWER_BASE } from './viewer-base.ts'

/** Our own start page for OHIF: the package's has inline scripts, which our policy forbids. */
export function ohifIndexPage(appScript: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>Viewer</title>
<link rel="icon" href="${VIEWER_BASE}assets/favicon.ico">
<link rel="stylesheet" href="${VIEWER_BASE}app.bundle.css">
<link rel="stylesheet" href="${VIEWER_BASE}hilum.css">
<script src="${VIEWER_BASE}start.js"></script>
<script src="${VIEWER_BASE}app-config.js"></script>
<script defer src="${VIEWER_BASE}${appScript}"></script>
</head>
<body>
<noscript>The viewer needs JavaScript.</noscript>
<div id="react-portal"></div>
<div id="root"></div>
</body>
</html>
`
}

/** Globals that OHIF's bundles expect from their start page. */
export const OHIF_START_SCRIPT = `window.PUBLIC_URL = ${JSON.stringify(VIEWER_BASE)}
window.browserImportFunction = (address) => import(address)
`

export const OHIF_STYLE = `html, body { background: #000; }
#hilum-close { color: #e4e8ed; background: transparent; border: 1px solid #6d7a88; border-radius: 4px; padding: 4px 12px; font-size: 13px; line-height: 1.4; cursor: pointer; }
#hilum-close:hover { background: #1a222b; }
#hilum-close:focus-visible { outline: 2px solid #4ba6c4; outline-offset: 1px; }
`

/**
 * OHIF's configuration. The configuration is a function because what it may ask for is known only in the browser: the
 * page behind /proviewer, which frames it, holds the derived sid and the DICOMweb root in `window.hilumViewer` (see
 * docs/decisions/0004-viewer-authorisation.md). Without that page there is nothing to show.
 */
export const OHIF_APP_CONFIG = `window.config = Object.assign(() => {
  const host = window.parent === window ? undefined : window.parent.hilumViewer
  if (!host) {
    window.location.replace('/')
    throw new Error('The viewer opens from a study only')
  }
  const closeViewer = () => window.parent.postMessage(JSON.stringify({ action: 'close-viewer' }), window.location.origin)
  // OHIF keeps Enter for itself wherever the focus is, so the button would not hear of it as a press.
  const closeByKey = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    event.stopPropagation()
    closeViewer()
  }
  // The one order of images in both viewers (page/src/image-order.ts): slices of one orientation by their position along
  // its normal, all else by number.
  const normalOf = ({ ImageOrientationPatient: cosines, ImagePositionPatient: position }) => {
    if (!cosines || cosines.length !== 6 || !position || position.length !== 3) return undefined
    const [a, b, c, d, e, f] = Array.from(cosines, Number)
    return [b * f - c * e, c * d - a * f, a * e - b * d]
  }
  const along = (normal, place) => normal.reduce((sum, part, at) => sum + part * Number(place[at]), 0)
  const inOrder = (one, other) => {
    const [normal, second] = [normalOf(one), normalOf(other)]
    const isOneStack = normal && second && along(normal, second) >= 0.99
    const byPlace = isOneStack
      ? along(normal, one.ImagePositionPatient) - along(normal, other.ImagePositionPatient)
      : 0
    return byPlace || (Number(one.InstanceNumber) || 0) - (Number(other.InstanceNumber) || 0)
  }
  const authorisation = {
    id: 'hilum.authorisation',
    preRegistration: ({ servicesManager }) =>
      servicesManager.services.userAuthenticationService.setServiceImplementation({
        getAuthorizationHeader: () => ({ Authorization: 'Bearer ' + host.sid }),
      }),
  }
  return {
    routerBasename: '/viewer',
    showStudyList: false,
    extensions: [authorisation],
    modes: ['@ohif/mode-longitudinal'],
    customizationService: [
      {
        'ohif.tours': { $set: [] },
        instanceSortingCriteria: { $set: { sortFunctions: { inOrder }, defaultSortFunctionName: 'inOrder' } },
      },
    ],
    whiteLabeling: {
      createLogoComponentFn: (React) =>
        React.createElement(
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
          wadoUriRoot: host.dicomWebRoot,
          qidoRoot: host.dicomWebRoot,
          wadoRoot: host.dicomWebRoot,
          qidoSupportsIncludeField: true,
          imageRendering: 'wadors',
          thumbnailRendering: 'wadors',
          enableStudyLazyLoad: true,
          supportsFuzzyMatching: false,
          supportsWildcard: true,
          dicomUploadEnabled: false,
          omitQuotationForMultipartRequest: true,
          bulkDataURI: { enabled: true },
        },
      },
    ],
    httpErrorHandler: (error) => console.warn('viewer.request.failed', error.status),
  }
}, { routerBasename: '/viewer' })
`
