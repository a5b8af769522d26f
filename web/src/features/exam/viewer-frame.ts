import type { DateFormat } from '@hilum/contract/date-format'
import type { Study } from '@hilum/contract/entities/study'
import { addressOf } from '@hilum/contract/route'
import { viewerPage } from '@hilum/contract/routes/others'
import * as z from 'zod/mini'

/** How the page around the viewer looks, which the viewer follows. */
interface ViewerLook {
  scheme: 'light' | 'dark'
  /** Not given where nobody knows how the reader reads dates: the month stands in letters then. */
  dateFormat?: DateFormat
}

type ShownStudy = Pick<Study, 'storage_namespace' | 'study_uid' | 'phi_namespace'>

/**
 * PANEL-08: the study stands behind the #, so that no server log ever has it; `sid` is a derived one. Whose study it is
 * stands above the frame, in the panel's head.
 * @param mayStoreLengths whether measurements may be kept with the study
 */
export function viewerAddress(study: ShownStudy, sid: string, look: ViewerLook, mayStoreLengths = false): string {
  return addressWith(study, sid, look, mayStoreLengths ? '&patient=shown&keep=1' : '&patient=shown')
}

/** The viewer's page before an exam is chosen, which `openMessage` names to it. */
export function viewerAheadAddress(): string {
  return `${addressOf(viewerPage, { '*': '' })}?ahead=1`
}

/** Opens an exam in the viewer's page that was opened ahead. @param address of the exam, as for a frame of its own */
export function openMessage(address: string): string {
  return JSON.stringify({ open: address })
}

/** The same on a page that has nothing but the viewer: no way to close it, and no reports. */
export function loneViewerAddress(study: ShownStudy, sid: string, look: ViewerLook): string {
  return addressWith(study, sid, look, '&patient=shown&alone=1')
}

/** The same inside another viewer, which it is compared with: under a banner of its own. */
export function priorAddress(study: ShownStudy, sid: string, look: ViewerLook): string {
  return addressWith(study, sid, look, '&prior=1')
}

function addressWith(study: ShownStudy, sid: string, { scheme, dateFormat }: ViewerLook, role: string): string {
  const dates = dateFormat === undefined ? '' : `&dates=${encodeURIComponent(dateFormat)}`
  const page = addressOf(viewerPage, { '*': '' })
  return `${page}?sid=${encodeURIComponent(sid)}&scheme=${scheme}${dates}${role}#study/${placeOf(study)}`
}

function placeOf(study: ShownStudy): string {
  return [study.storage_namespace, study.study_uid, study.phi_namespace].map(encodeURIComponent).join('/')
}

const message = z.object({ action: z.string(), uuid: z.optional(z.string()), count: z.optional(z.number()) })

/** PANEL-09: a message from the viewer, sent as an object or as its JSON; undefined when it is neither. */
export function readViewerMessage(data: unknown): z.infer<typeof message> | undefined {
  const read = message.safeParse(typeof data === 'string' ? parse(data) : data)
  return read.success ? read.data : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // oxlint-disable-next-line no-console -- PANEL-09: messages that cannot be parsed are only logged; without their text
    console.warn('A message of the viewer could not be parsed')
    return undefined
  }
}
