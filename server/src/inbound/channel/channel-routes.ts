import { channelIdleMs, channelRequest, type ChannelEvent } from '@hilum/contract/channel'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { findCaller } from '../../access/find-caller.ts'
import type { EventRow } from '../../areas/event/event.sql.ts'
import type { JobStanding } from '../../areas/job/job-feed.ts'
import type { Services } from '../../services.ts'
import { type ChannelLimits, createChannelPlaces, defaultChannelLimits, type Place } from './channel-places.ts'

/** Largest frame a client may send: a subscribe message is a few hundred bytes. */
const maxFrameBytes = 8 * 1024
const maxChannelsPerSocket = 500
/** Frames of one client that wait for their answer; with as many, nothing more is read from it. */
const maxWaiting = 16
/** Events and answers that a client has not taken yet. */
const maxUnsentBytes = 1024 * 1024
/** A subscription's right is asked again this often, so that a closed session or a lost role ends it. */
const recheckMs = 60_000

/** The websocket of live events at `channel/websocket` (`api-facts` §1.4), for outside clients and our own web app. */
export async function channelRoutes(
  app: FastifyInstance,
  services: Services,
  limits: ChannelLimits = defaultChannelLimits,
): Promise<void> {
  const places = createChannelPlaces(limits)
  await app.register(fastifyWebsocket, { options: { maxPayload: maxFrameBytes } })
  for (const url of ['/channel/websocket', '/api/v3/channel/websocket']) {
    app.get(url, { websocket: true }, (socket, request) => {
      const place = places.take(socket)
      if (place) serve(services, socket, place, request.ip)
    })
  }
}

interface Subscription {
  channel: string
  namespaceUuid: string
  sid: string
  sidMd5: string
  userUuid: string
}

function serve(services: Services, socket: WebSocket, place: Place, clientAddress: string): void {
  const subscriptions = new Map<string, Subscription>()
  let idle = setTimeout(() => socket.close(1000), channelIdleMs)
  const stop = services.events.listen((event) => {
    for (const one of subscriptions.values()) if (one.namespaceUuid === event.namespace_uuid) tell(socket, one, event)
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
  const recheck = setInterval(() => inTurn(() => dropLost(services, subscriptions, clientAddress)), recheckMs)

  socket.on('message', (data) => {
    clearTimeout(idle)
    idle = setTimeout(() => socket.close(1000), channelIdleMs)
    inTurn(async () => {
      if (socket.readyState !== socket.OPEN) return
      const said = await answerOrFail(services, subscriptions, place, String(data), clientAddress)
      send(socket, said)
      if (said && 'channel' in said && said.channel) jobs.follow(subscriptions.get(said.channel))
    })
  })
  socket.on('close', () => {
    clearTimeout(idle)
    clearInterval(recheck)
    stop()
    jobs.stop()
    place.leave()
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

/** Who does not take what is sent is let go, and reads anew when it is back. */
function send(socket: WebSocket, message: object | undefined): void {
  if (!message || socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > maxUnsentBytes) socket.terminate()
  else socket.send(JSON.stringify(message))
}

async function answer(
  services: Services,
  subscriptions: Map<string, Subscription>,
  place: Place,
  frame: string,
  clientAddress: string,
) {
  const parsed = channelRequest.safeParse(readFrame(frame))
  if (!parsed.success) return { status: 'ERROR', error_type: 'INVALID_JSON' }
  const { action, channel = '', sid = '' } = parsed.data
  if (action === 'ping') return { status: 'OK' }
  if (action === 'unsubscribe') {
    subscriptions.delete(channel)
    return { status: 'OK', channel }
  }
  if (subscriptions.size >= maxChannelsPerSocket) return { status: 'ERROR', error_type: 'LOCKOUT', channel }
  const namespaceUuid = /^(?:study|job)\.([0-9a-f-]{36})$/i.exec(channel)?.[1]?.toLowerCase()
  const rights = namespaceUuid ? await findRights(services, sid, clientAddress) : undefined
  if (!namespaceUuid || !rights?.namespaces.has(namespaceUuid)) {
    return { status: 'ERROR', error_type: 'NOT_PERMITTED', channel }
  }
  if (!place.become(rights.userUuid)) return undefined
  subscriptions.set(channel, { channel, namespaceUuid, sid, sidMd5: rights.sidMd5, userUuid: rights.userUuid })
  return { status: 'OK', channel }
}

/** The namespaces of whose studies a session may hear. */
async function findRights(services: Services, sid: string, clientAddress: string) {
  const caller = sid
    ? await findCaller(services.db, sid, clientAddress, { keepsIdle: true, log: services.log })
    : undefined
  if (!caller || caller.derivedStudies) return undefined
  const heard = (await caller.memberships()).filter((one) => one.permissions.has('channel_study'))
  return {
    userUuid: caller.userUuid,
    sidMd5: caller.sidMd5,
    namespaces: new Set(heard.map((one) => one.namespaceUuid)),
  }
}

async function dropLost(services: Services, subscriptions: Map<string, Subscription>, clientAddress: string) {
  for (const [sid, own] of Map.groupBy(subscriptions.values(), (one) => one.sid)) {
    const rights = await findRights(services, sid, clientAddress)
    for (const one of own) if (!rights?.namespaces.has(one.namespaceUuid)) subscriptions.delete(one.channel)
  }
}

function tell(socket: WebSocket, to: Subscription, event: EventRow): void {
  if (!to.channel.startsWith('study.')) return
  const message: ChannelEvent = {
    event: event.kind === 'ready' ? 'READY' : 'STUDY',
    channel: to.channel,
    sid_md5: to.sidMd5,
    uuid: event.uuid,
    namespace_id: event.namespace_uuid,
  }
  send(socket, message)
}

/** What a line hears of jobs: those of the persons who subscribed on it, in the namespaces for which they did. */
function openJobLine(services: Services, socket: WebSocket, subscriptions: ReadonlyMap<string, Subscription>) {
  const stops = new Map<string, () => void>()
  return {
    /** From a subscription to jobs on, beginning with what is under way already. */
    follow: (own: Subscription | undefined) => {
      // a line that closed meanwhile does not say so again
      if (!own?.channel.startsWith('job.') || socket.readyState !== socket.OPEN) return
      const { userUuid, namespaceUuid } = own
      const hear = (standing: JobStanding) => {
        for (const one of subscriptions.values()) if (one.userUuid === userUuid) tellJob(socket, one, standing)
      }
      if (!stops.has(userUuid)) stops.set(userUuid, services.jobs.listen(userUuid, hear))
      for (const one of services.jobs.current(userUuid, namespaceUuid)) tellJob(socket, own, one)
    },
    stop: () => {
      for (const stop of stops.values()) stop()
    },
  }
}

const jobEvents = { SCHEDULED: 'PROGRESS', RUNNING: 'PROGRESS', DONE: 'DONE', ERROR: 'BROKEN' } as const

function tellJob(socket: WebSocket, to: Subscription, standing: JobStanding): void {
  const { namespaceUuid, jobId, state, sent, total, error, message: words } = standing
  if (!to.channel.startsWith('job.') || to.namespaceUuid !== namespaceUuid) return
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
