import { factsOf, mayDo } from '@hilum/contract/acts'
import { orderList } from '@hilum/contract/calls/order'
import { channel, channelWithoutPrefix } from '@hilum/contract/routes/others'
import { channelIdleMs, channelRequest, type ChannelEvent } from '@hilum/contract/channel'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import type { WatchedDoor } from '../../access/access-watch.ts'
import type { Asker, Caller } from '../../access/caller.ts'
import { noteRefusal } from '../../areas/audit/note-refusal.command.ts'
import { findCaller } from '../../access/find-caller.ts'
import type { EventRow } from '../../areas/event/event.sql.ts'
import type { JobProgress } from '../../areas/job/job-feed.ts'
import type { Services } from '../../services.ts'
import { refuseHandshake } from '../http/refuse-unreadable.ts'
import { type ChannelLimits, createChannelPlaces, defaultChannelLimits, type ChannelPlace } from './channel-places.ts'

/** Largest frame a client may send: a subscribe message is a few hundred bytes. */
const maxFrameBytes = 8 * 1024
const maxChannelsPerSocket = 500
/** Frames of one client that wait for their answer; with as many, nothing more is read from it. */
const maxWaiting = 16
/** Events and answers that a client has not taken yet. */
const maxUnsentBytes = 1024 * 1024

/** The websocket of live events at `channel/websocket` (`api-facts` §1.4), for outside clients and our own web app. */
export async function channelRoutes(
  app: FastifyInstance,
  services: Services,
  limits: ChannelLimits = defaultChannelLimits,
): Promise<void> {
  const places = createChannelPlaces(limits)
  await app.register(fastifyWebsocket, { options: { maxPayload: maxFrameBytes } })
  app.websocketServer.on('wsClientError', refuseHandshake)
  for (const declared of [channelWithoutPrefix, channel]) {
    app.get(declared.path, { websocket: true, config: { declared } }, (socket, request) => {
      const place = places.take(socket)
      if (place) serve(services, socket, place, request.ip)
    })
  }
}

/** Kinds of channels, with the act that hears of a place on them. */
const heardBy = { study: channel.on.may, job: channel.on.may, order: orderList.on.may } as const
type ChannelKind = keyof typeof heardBy
const channelName = /^(study|job|order)\.([0-9a-f-]{36})$/i

function kindOf(name: string): ChannelKind {
  const kind = channelName.exec(name)?.[1]?.toLowerCase()
  return kind === 'job' || kind === 'order' ? kind : 'study'
}

interface Subscription {
  channel: string
  namespaceUuid: string
  /** Whether records that wait for approval are told of. */
  findsWaiting: boolean
  /** The subscriber. The session is asked again, not the token, whose time may be over before the session's. */
  caller: Caller
  sidMd5: string
  userUuid: string
  /** The watch over its right. */
  door: WatchedDoor
  /** Ends the watch over its right. */
  endWatch: () => void
}

function serve(services: Services, socket: WebSocket, place: ChannelPlace, clientAddress: string): void {
  const subscriptions = new Map<string, Subscription>()
  let idle = setTimeout(() => socket.close(1000), channelIdleMs)
  const stop = services.events.listen((event) => {
    for (const one of subscriptions.values())
      if (one.namespaceUuid === event.namespace_uuid)
        onceSettled(services, subscriptions, one, () => tell(socket, one, event))
  })
  const jobs = openJobLine(services, socket, subscriptions)
  // one after the other: what asks for an answer waits for the one before, and who asks too fast is not read meanwhile
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  const inTurn = (act: () => Promise<void>) => {
    waiting += 1
    if (waiting === maxWaiting) socket.pause()
    last = last
      .then(act)
      .catch((error: unknown) => services.log.error({ event: 'channel failed', err: error }))
      .finally(() => {
        if (waiting === maxWaiting) socket.resume()
        waiting -= 1
      })
  }

  socket.on('message', (data) => {
    clearTimeout(idle)
    idle = setTimeout(() => socket.close(1000), channelIdleMs)
    inTurn(async () => {
      if (socket.readyState !== socket.OPEN) return
      const said = await answerOrFail(services, { subscriptions, socket, place, clientAddress }, String(data))
      send(socket, said)
      if (said && 'channel' in said && said.channel) jobs.follow(subscriptions.get(said.channel))
    })
  })
  socket.on('close', () => {
    clearTimeout(idle)
    for (const one of subscriptions.values()) one.endWatch()
    stop()
    jobs.stop()
    place.release()
  })
  socket.on('error', (error) => services.log.debug({ event: 'channel socket failed', err: error }))
}

async function answerOrFail(...given: Parameters<typeof answer>) {
  try {
    return await answer(...given)
  } catch (error) {
    given[0].log.error({ event: 'channel message failed', err: error })
    return { status: 'ERROR', error_type: 'UNEXPECTED_ERROR' }
  }
}

/** A client that does not take what is sent is let go, and reads anew when it is back. */
function send(socket: WebSocket, message: object | undefined): void {
  if (!message || socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > maxUnsentBytes) socket.terminate()
  else socket.send(JSON.stringify(message))
}

interface Line {
  subscriptions: Map<string, Subscription>
  socket: WebSocket
  place: ChannelPlace
  clientAddress: string
}

async function answer(services: Services, line: Line, frame: string) {
  const { subscriptions, place, clientAddress } = line
  const parsed = channelRequest.safeParse(readFrame(frame))
  if (!parsed.success) return { status: 'ERROR', error_type: 'INVALID_JSON' }
  const { action, channel = '', sid = '' } = parsed.data
  if (action === 'ping') return { status: 'OK' }
  if (action === 'unsubscribe') {
    subscriptions.get(channel)?.endWatch()
    subscriptions.delete(channel)
    return { status: 'OK', channel }
  }
  if (subscriptions.size >= maxChannelsPerSocket) return { status: 'ERROR', error_type: 'LOCKOUT', channel }
  const namespaceUuid = channelName.exec(channel)?.[2]?.toLowerCase()
  const asker = namespaceUuid && sid ? await findCaller(services.db, sid, clientAddress, quiet(services)) : undefined
  const caller = asker?.kind === 'link' ? undefined : asker
  const rights = await findRights(caller, kindOf(channel))
  const right = namespaceUuid ? rights?.get(namespaceUuid) : undefined
  if (!namespaceUuid || !caller || !right) {
    const who = asker ?? { clientAddress, sid }
    noteRefusal(services, who, { act: 'channel', names: [namespaceUuid], isForbidden: true })
    return { status: 'ERROR', error_type: 'NOT_PERMITTED', channel }
  }
  if (!place.become(caller.userUuid)) return undefined
  subscribe(services, line, { channel, namespaceUuid, caller, ...right })
  return { status: 'OK', channel }
}

/** Notes a subscription, and ends it as soon as the caller may not hear of the namespace any more. */
function subscribe(
  services: Services,
  { subscriptions, socket }: Line,
  wanted: Omit<Subscription, 'sidMd5' | 'userUuid' | 'door' | 'endWatch'>,
): void {
  const { channel, namespaceUuid, caller } = wanted
  const { userUuid, sidMd5 } = caller
  subscriptions.get(channel)?.endWatch()
  // a line that closed meanwhile hears nothing
  if (socket.readyState !== socket.OPEN) return
  const door: WatchedDoor = {
    caller,
    stillMay: async (fresh) => {
      const right = (await findRights(fresh, kindOf(channel)))?.get(namespaceUuid)
      subscription.findsWaiting = right?.findsWaiting ?? false
      return right !== undefined
    },
    close: () => {
      subscriptions.delete(channel)
      send(socket, { status: 'ERROR', error_type: 'NOT_PERMITTED', channel })
    },
  }
  const subscription: Subscription = { ...wanted, sidMd5, userUuid, door, endWatch: services.access.open(door) }
  subscriptions.set(channel, subscription)
}

/** Tells at once, or when a change of the person's rights has been looked at, if the subscription outlived the change. */
function onceSettled(
  { access }: Services,
  subscriptions: ReadonlyMap<string, Subscription>,
  to: Subscription,
  act: () => void,
): void {
  const settling = access.settling(to.userUuid)
  if (!settling) return act()
  void settling.then(() => {
    if (subscriptions.get(to.channel) === to) act()
  })
}

/** A live line does not put off the idle end of a session. */
function quiet({ log }: Services) {
  return { isPoll: true, log }
}

const waiting = factsOf({ awaitsApproval: true })

/** The namespaces that a caller may hear of on channels of a kind. */
async function findRights(
  caller: Asker | undefined,
  kind: ChannelKind,
): Promise<ReadonlyMap<string, Pick<Subscription, 'findsWaiting'>> | undefined> {
  if (!caller || caller.derivedStudies) return undefined
  const heard = (await caller.memberships()).filter((one) => mayDo(heardBy[kind], one))
  return new Map(
    heard.map((one) => [one.namespaceUuid, { findsWaiting: mayDo('findStudy', { ...one, facts: waiting }) }]),
  )
}

const eventNames = { study: 'STUDY', ready: 'READY', retracted: 'RETRACTED', order: 'ORDER' } as const

function tell(socket: WebSocket, to: Subscription, event: EventRow): void {
  const kind = event.kind === 'order' ? 'order' : 'study'
  if (kindOf(to.channel) !== kind || (event.waits && !to.findsWaiting)) return
  const message: ChannelEvent = {
    event: eventNames[event.kind],
    channel: to.channel,
    sid_md5: to.sidMd5,
    uuid: event.uuid,
    namespace_id: event.namespace_uuid,
  }
  send(socket, message)
}

/**
 * Sends a connection the jobs of the persons who subscribed on it, in the namespaces of their subscriptions. The feed of
 * jobs has no order with the ends of rights, so that each message asks for the right again before it leaves.
 */
function openJobLine(services: Services, socket: WebSocket, subscriptions: ReadonlyMap<string, Subscription>) {
  const stops = new Map<string, () => void>()
  // in the order in which the messages came
  let last: Promise<void> = Promise.resolve()
  const tellOnce = (own: Subscription, progress: JobProgress) => {
    last = last
      .then(async () => {
        if (subscriptions.get(own.channel) !== own || !(await services.access.confirm(own.door))) return
        tellJob(socket, own, progress)
      })
      // untold: the client asks job/get, which asks for the right as well
      .catch((error: unknown) => services.log.debug({ event: 'job not told', err: error }))
  }
  const hears = ({ channel, namespaceUuid }: Subscription, progress: JobProgress) =>
    channel.startsWith('job.') && namespaceUuid === progress.namespaceUuid
  return {
    /** From a subscription to jobs on, beginning with what is under way already. */
    follow: (own: Subscription | undefined) => {
      // a line that closed meanwhile does not say so again
      if (!own?.channel.startsWith('job.') || socket.readyState !== socket.OPEN) return
      const { userUuid, namespaceUuid } = own
      const hear = (progress: JobProgress) => {
        for (const one of subscriptions.values())
          if (one.userUuid === userUuid && hears(one, progress)) tellOnce(one, progress)
      }
      if (!stops.has(userUuid)) stops.set(userUuid, services.jobs.listen(userUuid, hear))
      for (const one of services.jobs.current(userUuid, namespaceUuid)) tellOnce(own, one)
    },
    stop: () => {
      for (const stop of stops.values()) stop()
    },
  }
}

const jobEvents = { SCHEDULED: 'PROGRESS', RUNNING: 'PROGRESS', DONE: 'DONE', ERROR: 'BROKEN' } as const

function tellJob(socket: WebSocket, to: Subscription, progress: JobProgress): void {
  const { namespaceUuid, jobId, state, sent, total, error, message: words } = progress
  const message: ChannelEvent = {
    event: jobEvents[state],
    channel: to.channel,
    sid_md5: to.sidMd5,
    namespace_id: namespaceUuid,
    job_id: jobId,
    state,
    sent,
    total,
    error,
    message: words,
  }
  send(socket, message)
}

function readFrame(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined // answered as INVALID_JSON
  }
}
