import { isDateFormat, type ShownFormat, writtenFormat } from '@hilum/contract/date-format'

export type ViewerAddress = {
  sid: string
  storageNamespace: string
  studyUid: string
  phiNamespace: string
  mode: 'panel' | 'full'
  scheme: 'light' | 'dark' | undefined
  /** How the person reads dates; with the month in letters where that is not known. */
  dateFormat: ShownFormat
  /** Whether the page around shows whose study it is, so that the quick viewer need not. */
  isPatientShown: boolean
  /** Whether the page around has nothing but this viewer: nothing to go back to, and no reports. */
  isAlone: boolean
  /** Whether measurements may be kept with the study. */
  mayStore: boolean
  /** Whether another quick viewer is around, which this one is compared with. */
  isPrior: boolean
}

/**
 * Reads `/proviewer/?sid=<derived>[&mode=full][&scheme=dark][&dates=DD-MM-YYYY][&patient=shown][&keep=1][&alone=1][&prior=1]#study/{storage_namespace}/{study_uid}/{phi_namespace}`.
 * @returns undefined when a part is missing or is not of its form: nothing unchecked goes on into a request path
 */
export function readAddress(address: URL): ViewerAddress | undefined {
  const sid = address.searchParams.get('sid') ?? ''
  const [what, storageNamespace = '', studyUid = '', phiNamespace = '', ...rest] = address.hash.slice(1).split('/')
  if (what !== 'study' || rest.length > 0 || !isName(storageNamespace) || !isName(phiNamespace)) return undefined
  // UIDs are opaque text; some in use carry letters, some are longer than they may be.
  if (!/^[\w.-]{1,128}$/.test(studyUid) || /^\.+$/.test(studyUid) || !/^[\w.~+/=-]+$/.test(sid)) return undefined
  const scheme = address.searchParams.get('scheme')
  const dateFormat = address.searchParams.get('dates')
  return {
    sid,
    storageNamespace,
    studyUid,
    phiNamespace,
    mode: address.searchParams.get('mode') === 'full' ? 'full' : 'panel',
    scheme: scheme === 'light' || scheme === 'dark' ? scheme : undefined,
    dateFormat: isDateFormat(dateFormat) ? dateFormat : writtenFormat,
    isPatientShown: address.searchParams.get('patient') === 'shown',
    mayStore: address.searchParams.get('keep') === '1',
    isAlone: address.searchParams.get('alone') === '1',
    isPrior: address.searchParams.get('prior') === '1',
  }
}

/** The same address without the sid, for the address bar, the history and whatever copies from them. */
export function withoutSid(address: URL): string {
  const shown = new URL(address)
  shown.searchParams.delete('sid')
  return shown.pathname + shown.search + shown.hash
}

function isName(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text)
}
