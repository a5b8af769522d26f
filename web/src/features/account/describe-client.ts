import { t } from '../../labels/label.ts'

/** Browsers before those whose signs they carry too: Edge says that it is Chrome, and Chrome that it is Safari. */
const browsers: [sign: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

/** Phones before the systems that theirs are made of. */
const systems: [sign: RegExp, name: string][] = [
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The User-Agent of a browser or program in words: browser and system, or the name of a program. */
export function describeClient(userAgent: string): { browser: string; system: string } {
  const browser = browsers.find(([sign]) => sign.test(userAgent))?.[1]
  const system = systems.find(([sign]) => sign.test(userAgent))?.[1] ?? ''
  // a program says its name and version first: "curl/8.5.0"
  return { browser: browser ?? programOf(userAgent), system }
}

const longestProgram = 40

function programOf(userAgent: string): string {
  const named = /^([^\s/()]+)/.exec(userAgent.trim())?.[1] ?? ''
  return named === 'Mozilla' ? '' : named.slice(0, longestProgram)
}

/** A browser in words, as well as its user agent tells. */
export function clientText(userAgent: string): string {
  const { browser, system } = describeClient(userAgent)
  if (!browser) return system || t('sessions.unknownProgram')
  return system ? t('sessions.browserOn', { browser, system }) : browser
}
