import { minify } from 'rolldown/utils'
import { VIEWER_BASE } from './viewer-base.ts'

/**
 * Files of OHIF's build that we leave out: source maps, the on-device segmentation models (119 MB), slide microscopy,
 * sign-in of its own, its service worker (it would answer from a cache after a right was withdrawn), icons for phones' home
 * screens, and the pages that we write ourselves (`ohif-pages.ts`).
 */
const LEFT_OUT = [
  /\.map$/,
  /^ort\//,
  /^dicom-microscopy-viewer\//,
  /^customizations\//,
  /^_/,
  /^(google|es6-shim\.min|polyfill\.min|oidc-client\.min|sw|init-service-worker|app-config)\.js$/,
  /^(silent-refresh|index)\.html$/,
  /^(serve|manifest)\.json$/,
  /^assets\/(android-|apple-|coast-|firefox_|mstile-|yandex|browserconfig)/,
]

/** Whether a file of the package's `dist` folder has a place in what we serve. */
export function isKept(path: string): boolean {
  return !LEFT_OUT.some((pattern) => pattern.test(path))
}

const BAKED_SCRIPT_BASE = '__webpack_require__.p = "/"'

/**
 * A SIGMOID window (PS3.3 C.11.2.1.3.1), usual in mammography, ends the drawing of an image in this release's cornerstone.
 * The linear window of the same centre and width replaces it, as in the quick viewer.
 */
const REFUSED_WINDOW = "throw new Error('Invalid VOI LUT function')"
const LINEAR_WINDOW = 'return { lower: windowCenter - windowWidth / 2, upper: windowCenter + windowWidth / 2 }'

/** A date that is not there, as an unknown birth date, is formatted as these words; every place that shows one has room for nothing. */
const NO_DATE_WORDS = "defaultInvalidDate = 'Invalid date'"
const NO_DATE = "defaultInvalidDate = ''"

/** The bundles are built for the root of a server; these are the ones known to carry that address. */
const BUNDLES_WITH_BASE = 8

type OhifPatch = {
  apply: (path: string, bytes: Buffer) => Promise<Buffer>
  /** @throws Error when the package was not what the patches were written for */
  finish: () => void
}

/** Moves OHIF's files from "/" to our base path and makes the scripts small. One object per preparation: it counts. */
export function createOhifPatch(): OhifPatch {
  let rebasedBundles = 0
  let rebasedStyles = 0
  let windowedBundles = 0
  let datedBundles = 0
  return {
    apply: async (path, bytes) => {
      if (path.endsWith('.js')) {
        const source = bytes.toString('utf8')
        const rebased = source.replaceAll(BAKED_SCRIPT_BASE, `__webpack_require__.p = "${VIEWER_BASE}"`)
        if (rebased !== source) rebasedBundles++
        const windowed = rebased.replaceAll(REFUSED_WINDOW, LINEAR_WINDOW)
        if (windowed !== rebased) windowedBundles++
        const dated = windowed.replaceAll(NO_DATE_WORDS, NO_DATE)
        if (dated !== windowed) datedBundles++
        return Buffer.from(await minifyScript(path, dated))
      }
      if (path.endsWith('.css')) {
        const source = bytes.toString('utf8')
        const rebased = source.replaceAll('url(/', `url(${VIEWER_BASE}`)
        if (rebased !== source) rebasedStyles++
        return Buffer.from(rebased)
      }
      return bytes
    },
    finish: () => {
      const isKnown =
        rebasedBundles === BUNDLES_WITH_BASE && [rebasedStyles, windowedBundles, datedBundles].every(Boolean)
      if (!isKnown) {
        throw new Error(
          `The viewer package is not the one our patches know: ${rebasedBundles} scripts and ${rebasedStyles} style sheets carry its address, ${windowedBundles} scripts its windows, ${datedBundles} its dates`,
        )
      }
    },
  }
}

async function minifyScript(path: string, source: string): Promise<string> {
  const result = await minify(path, source, { compress: { target: 'es2022' }, mangle: true })
  const fault = result.errors[0]
  if (fault !== undefined) throw new Error(`The viewer's script ${path} cannot be read: ${fault.message}`)
  return result.code
}
