import { PROVIEWER_BASE } from '../../src/viewer-base.ts'
import type { LinkedImagePlace } from './linked-scroll.ts'
import { isRoom, type Room } from './room.ts'

/**
 * Tells whoever framed or opened this page to close the viewer: `{"action":"close-viewer"}` as JSON text.
 * A page that stands alone closes itself. Source: B§2.
 */
export function postCloseViewer(): void {
  const message = JSON.stringify({ action: 'close-viewer' })
  const host = window.parent === window ? (window.opener as Window | null) : window.parent
  host?.postMessage(message, location.origin)
  if (window.parent === window) window.close()
}

/** Asks the page around for its tab of reports. */
export function postOpenReports(): void {
  window.parent.postMessage(JSON.stringify({ action: 'open-reports' }), location.origin)
}

/** Tells the page around how many lengths of this page could be kept with the study and are not. */
export function postOpenLengths(count: number): void {
  window.parent.postMessage(JSON.stringify({ action: 'open-lengths', count }), location.origin)
}

/** Tells the page around that an exam can be opened here, and calls back once, with the address of this page for the exam. */
export function askForExam(handle: (address: string) => void): void {
  let isOpened = false
  hearHost(({ open }) => {
    if (isOpened || typeof open !== 'string' || !open.startsWith(`${PROVIEWER_BASE}?`)) return
    isOpened = true
    handle(open)
  })
  window.parent.postMessage(JSON.stringify({ action: 'viewer-ahead' }), location.origin)
}

/** Another exam of the patient, as the page around names it. */
export type Prior = { uuid: string; label: string }

/** Asks the page around for the patient's other exams, and calls back with them, with a sid that names those of this place too. */
export function askForPriors(handle: (priors: Prior[], sid: string | undefined) => void): void {
  hearHost((message) => {
    const { priors, sid } = message
    if (!Array.isArray(priors)) return
    handle(priors.filter(isPrior), typeof sid === 'string' ? sid : undefined)
  })
  window.parent.postMessage(JSON.stringify({ action: 'list-priors' }), location.origin)
}

/** Asks the page around for the address of another exam. */
export function postOpenPrior(uuid: string): void {
  window.parent.postMessage(JSON.stringify({ action: 'open-prior', uuid }), location.origin)
}

/** Calls back with the address of an exam that was asked for; without one where it cannot be opened. */
export function onPrior(handle: (prior: { uuid: string; address: string | undefined }) => void): void {
  hearHost(({ prior }) => {
    if (typeof prior !== 'object' || prior === null || !('uuid' in prior) || typeof prior.uuid !== 'string') return
    const address = 'address' in prior && typeof prior.address === 'string' ? prior.address : undefined
    // nothing but this page is framed
    if (address !== undefined && !address.startsWith(`${PROVIEWER_BASE}?`)) return
    handle({ uuid: prior.uuid, address })
  })
}

/** Tells the viewer around this one which place it shows. */
export function postPlace(place: LinkedImagePlace | undefined, isFollowing: boolean): void {
  window.parent.postMessage(JSON.stringify({ place: place ?? null, isFollowing }), location.origin)
}

/** Calls back when the viewer around this one goes to a place. */
export function onFollow(handle: (place: LinkedImagePlace) => void): void {
  hearHost(({ follow }) => {
    if (isPlace(follow)) handle(follow)
  })
}

/** Tells the viewer around this one which room its head and strip need. */
export function postRoom(room: Room): void {
  window.parent.postMessage(JSON.stringify({ room }), location.origin)
}

/** Calls back when the viewer around this one gives it the room that both have. */
export function onRoom(handle: (room: Room) => void): void {
  hearHost(({ room }) => {
    if (isRoom(room)) handle(room)
  })
}

/** Tells the viewer around this one whose exam this is. */
export function postWho(who: string): void {
  window.parent.postMessage(JSON.stringify({ who }), location.origin)
}

/** Calls back when the viewer around this one has found whether both exams name the same patient. */
export function onSamePatient(handle: (isSame: boolean) => void): void {
  hearHost(({ isSamePatient }) => {
    if (typeof isSamePatient === 'boolean') handle(isSamePatient)
  })
}

/** Hears the viewer in a frame. @returns ends that */
export function exchangeWith(
  frame: () => Window | null,
  handlers: {
    onClose: () => void
    onPlace: (place: LinkedImagePlace | undefined, isFollowing: boolean) => void
    onRoom: (room: Room) => void
    onWho: (who: string) => void
  },
): () => void {
  const hear = (event: MessageEvent<unknown>) => {
    if (event.origin !== location.origin || event.source !== frame()) return
    const message = fieldsOf(event.data)
    if (message['action'] === 'close-viewer') handlers.onClose()
    if (isRoom(message['room'])) handlers.onRoom(message['room'])
    if (typeof message['who'] === 'string') handlers.onWho(message['who'])
    if ('place' in message)
      handlers.onPlace(isPlace(message['place']) ? message['place'] : undefined, message['isFollowing'] === true)
  }
  window.addEventListener('message', hear)
  return () => window.removeEventListener('message', hear)
}

function hearHost(handle: (message: Record<string, unknown>) => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.origin === location.origin && event.source === window.parent) handle(fieldsOf(event.data))
  })
}

function isPrior(value: unknown): value is Prior {
  return (
    typeof value === 'object' &&
    value !== null &&
    'uuid' in value &&
    typeof value.uuid === 'string' &&
    'label' in value &&
    typeof value.label === 'string'
  )
}

function isPlace(value: unknown): value is LinkedImagePlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'mm' in value &&
    Number.isFinite(value.mm) &&
    'normal' in value &&
    Array.isArray(value.normal) &&
    value.normal.length === 3 &&
    value.normal.every(Number.isFinite) &&
    'frameOfReference' in value &&
    typeof value.frameOfReference === 'string'
  )
}

/** Calls back when the frame asks to be closed; messages of other windows or other sites are not heard. */
export function onFrameClose(frame: HTMLIFrameElement, close: () => void): () => void {
  const hear = (event: MessageEvent<unknown>) => {
    if (
      event.origin === location.origin &&
      event.source === frame.contentWindow &&
      actionOf(event.data) === 'close-viewer'
    )
      close()
  }
  window.addEventListener('message', hear)
  return () => window.removeEventListener('message', hear)
}

/** Calls back when the page that frames this one turns light or dark. */
export function onHostScheme(turn: (scheme: 'light' | 'dark') => void): void {
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.origin !== location.origin || event.source !== window.parent) return
    const scheme = fieldOf(event.data, 'scheme')
    if (scheme === 'light' || scheme === 'dark') turn(scheme)
  })
}

function actionOf(data: unknown): unknown {
  return fieldOf(data, 'action')
}

function fieldOf(data: unknown, name: string): unknown {
  return fieldsOf(data)[name]
}

function fieldsOf(data: unknown): Record<string, unknown> {
  if (typeof data !== 'string') return {}
  try {
    const message: unknown = JSON.parse(data)
    return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : {}
  } catch (error) {
    // Browser extensions and OHIF's own parts post other texts here; they mean nothing to us.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
