import { minify } from 'rolldown/utils'
import { colourScript, colourStyle } from './ohif-colours.ts'
import { scriptPassages } from './ohif-texts.ts'
import { VIEWER_BASE } from './viewer-base.ts'

/**
 * Files of OHIF's build that we leave out: source maps, the on-device segmentation models (119 MB), slide microscopy,
 * sign-in of its own, its service worker (it would answer from a cache after a right was withdrawn), icons for phones' home
 * screens, and the pages that we write ourselves (`ohif-pages.ts`, `../page/src/full`).
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
export function isTakenOver(path: string): boolean {
  return !LEFT_OUT.some((pattern) => pattern.test(path))
}

const BAKED_SCRIPT_BASE = '__webpack_require__.p = "/"'

/** The bundles are built for the root of a server; these are the ones known to carry that address. */
const BUNDLES_WITH_BASE = 8

type OhifPatch = {
  apply: (path: string, bytes: Buffer) => Promise<Buffer>
  /** @throws Error when the package was not what the patches were written for */
  finish: () => void
}

/** Moves OHIF's files from "/" to our base path, in our colours, and makes the scripts small. One object per preparation: it counts. */
export function createOhifPatch(): OhifPatch {
  let rebasedBundles = 0
  let rebasedStyles = 0
  const missing = new Set(scriptPassages)
  return {
    apply: async (path, bytes) => {
      if (path.endsWith('.js')) {
        let source = bytes.toString('utf8')
        const rebased = source.replaceAll(BAKED_SCRIPT_BASE, `__webpack_require__.p = "${VIEWER_BASE}"`)
        if (rebased !== source) rebasedBundles++
        source = rebased
        for (const passage of scriptPassages) {
          const changed = source.replaceAll(passage.theirs, () => passage.ours)
          if (changed !== source) missing.delete(passage)
          source = changed
        }
        return Buffer.from(await minifyScript(path, colourScript(source)))
      }
      if (path.endsWith('.css')) {
        const source = bytes.toString('utf8')
        const rebased = source.replaceAll('url(/', `url(${VIEWER_BASE}`)
        if (rebased !== source) rebasedStyles++
        return Buffer.from(colourStyle(rebased))
      }
      return bytes
    },
    finish: () => {
      if (rebasedBundles === BUNDLES_WITH_BASE && rebasedStyles > 0 && missing.size === 0) return
      const lacking = [...missing].map(({ what }) => what).join(', ')
      throw new Error(
        `The viewer package is not the one our patches know: ${rebasedBundles} scripts and ${rebasedStyles} style sheets carry its address${lacking === '' ? '' : `; it lacks ${lacking}`}`,
      )
    },
  }
}

async function minifyScript(path: string, source: string): Promise<string> {
  const result = await minify(path, source, { compress: { target: 'es2022' }, mangle: true })
  const fault = result.errors[0]
  if (fault !== undefined) throw new Error(`The viewer's script ${path} cannot be read: ${fault.message}`)
  return result.code
}
