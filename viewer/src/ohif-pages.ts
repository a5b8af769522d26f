import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HILUM_THEME } from './ohif-colours.ts'
import { VIEWER_BASE, WHOLE_MARK } from './viewer-base.ts'

/**
 * Our own start page for OHIF: the package's has inline scripts, which our policy forbids.
 * @param loadedFirst scripts that it asks for before the first picture
 */
export function ohifIndexPage(appScript: string, loadedFirst: readonly string[]): string {
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
${loadedFirst.map((name) => `<link rel="preload" as="script" href="${VIEWER_BASE}${name}">`).join('\n')}
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

/**
 * Globals that OHIF's bundles expect from their start page, and the mark of a page of OHIF with all its parts: a proxy's
 * page has none, and a script or a style that fails to load takes it away.
 */
export const OHIF_START_SCRIPT = `window.PUBLIC_URL = ${JSON.stringify(VIEWER_BASE)}
window.browserImportFunction = (address) => import(address)
document.documentElement.toggleAttribute('${WHOLE_MARK}', true)
addEventListener('error', ({ target }) => {
  if (target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet'))
    document.documentElement.removeAttribute('${WHOLE_MARK}')
}, true)
`

/** The style of the drawings over images, which both viewers have. */
const LAYERS_STYLE = readFileSync(join(import.meta.dirname, '..', 'page', 'src', 'layers.css'), 'utf8')

export const OHIF_STYLE = `${HILUM_THEME}${LAYERS_STYLE}html, body { background: #07090b; }
html[data-may-not-keep] button:has(.hilum-keep) { display: none; }
/* Thumbnails of the server are bright on dark; both viewers show those of PET as the images themselves. */
img[src$="#dark-on-light"] { filter: invert(1); }
/* Over bright and over dark pictures. */
.bottom-0:has(> [data-cy=series-modality-label]) { background: rgb(7 9 11 / 70%); }
.orientation-marker.orientation-marker { color: #dce2e8; font-weight: 600; }
.ViewportOrientationMarkers .orientation-marker.orientation-marker .orientation-marker-value { min-width: 0; min-height: 0; }
.ViewportOrientationMarkers .orientation-marker.right-mid { left: auto; right: 26px; }
.ViewportOrientationMarkers .orientation-marker.bottom-mid { top: auto; bottom: 8px; }
.orientation-marker-value:not(:empty), .overlay-item { padding: 0 4px; border-radius: 3px; background: rgb(7 9 11 / 65%); }
/* The number of a series that is not said leaves no gap. */
[data-cy^=study-browser-thumbnail] .text-muted-foreground:empty { margin-right: -7px; padding: 0; }
[data-cy=study-browser-thumbnail] .pl-1:empty { margin-right: -3px; }
.hilum-loading { width: 100%; height: 100%; display: grid; place-items: center; color: #a3adb8; font-size: 13px; }
.hilum-layers { position: absolute; inset: 0; overflow: hidden; pointer-events: none; color: #dce2e8; text-shadow: 0 0 3px #07090b, 0 0 2px #07090b; }
.hilum-layers .legend { right: 12px; top: 40%; bottom: auto; }
/* The tools, which stand in the middle of the head, would lie below the patient. */
@media (max-width: 1180px) {
  :has(> div > .return-to-work-list) > .left-1\\/2 { left: 84px; transform: translateY(-50%); }
}
@media (max-width: 900px) {
  div:has(> .undo-btn) { display: none; }
}
h4 + #hilum-close { display: block; margin: 16px auto 0; }
#hilum-close { color: #e4e8ed; background: transparent; border: 1px solid #6d7a88; border-radius: 4px; padding: 4px 12px; font-size: 13px; line-height: 1.4; cursor: pointer; }
#hilum-close:hover { background: #1a222b; }
#hilum-close:focus-visible { outline: 2px solid #4ba6c4; outline-offset: 1px; }
`
