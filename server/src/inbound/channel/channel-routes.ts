import { channelIdleMs, channelRequest, type ChannelEvent } from '@hilum/contract/channel'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { findCaller } from '../../access/find-caller.ts'
import type { EventRow } from '../../areas/event/event.sql.ts'
import type { Services } from '../../services.ts'

/** Largest frame a client may send: a subscribe message is a few hundred bytes. */
const maxFrameBytes = 8 * 1024
const maxChannelsPerSocket = 500
/** A subscription's right is asked again this often, so that a closed session or a lost role ends it. */
const recheckMs = 60_000

/** The websocket of live events at `channel/websocket` (`api-facts` §1.4), for outside clients and our own web app. */
export async function channelRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(fastifyWebsocket, { options: { maxPayload: maxFrameBytes } })
  for (const url of ['/channel/websocket', '/api/v3/channel/websocket']) {
    app.get(url, { websocket: true }, (socket, request) => serve(services, socket, request.ip))
  }
}

interface Subscription {
  channel: string
  namespaceUuid: string
  sid: string
  sidMd5: string
}

function serve(services: Services, socket: WebSocket, clientAddress: string): void {
  const subscriptions = new Map<string, Subscription>()
  let idle = setTimeout(() => socket.close(1000), channelIdleMs)
  const stop = services.events.listen((event) => {
    for (const one of subscriptions.values()) if (one.namespaceUuid === event.namespace_uuid) tell(socket, one, event)
  })
  const recheck = setInterval(() => void dropLost(services, subscriptions, clientAddress), recheckMs)

  socket.on('message', (data) => {
    clearTimeout(idle)
    idle = setTimeout(() => socket.close(1000), channelIdleMs)
    void answer(services, subscriptions, String(data), clientAddress)
      .catch((error: unknown) => {
        services.log.error({ event: 'channel message failed', err: error })
        return { status: 'ERROR', error_type: 'UNEXPECTED_ERROR' }
      })
      .then((reply) => {
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(reply))
      })
  })
  socket.on('close', () => {
    clearTimeout(idle)
    clearInterval(recheck)
    stop()
  })
  socket.on('error', (error) => services.log.debug({ event: 'channel socket failed', err: error }))
}

async function answer(
  services: Services,
  subscriptions: Map<string, Subscription>,
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
  const sidMd5 = namespaceUuid && (await findRight(services, sid, namespaceUuid, clientAddress))
  if (!namespaceUuid || !sidMd5) return { status: 'ERROR', error_type: 'NOT_PERMITTED', channel }
  subscriptions.set(channel, { channel, namespaceUuid, sid, sidMd5 })
  return { status: 'OK', channel }
}

/** The sid's MD5 when this session may hear of the namespace's studies. */
async function findRight(services: Services, sid: string, namespaceUuid: string, clientAddress: string) {
  const caller = sid ? await findCaller(services.db, sid, clientAddress, { keepsIdle: true }) : undefined
  if (!caller || caller.derivedStudies) return undefined
  const membership = (await caller.memberships()).find((one) => one.namespaceUuid === namespaceUuid)
  return membership?.permissions.has('channel_study') ? caller.sidMd5 : undefined
}

async function dropLost(services: Services, subscriptions: Map<string, Subscription>, clientAddress: string) {
  try {
    for (const one of subscriptions.values()) {
      if (!(await findRight(services, one.sid, one.namespaceUuid, clientAddress))) subscriptions.delete(one.channel)
    }
  } catch (error) {
    services.log.warn({ event: 'channel recheck failed', err: error })
  }
}

function tell(socket: WebSocket, to: Subscription, event: EventRow): void {
  if (socket.readyState !== socket.OPEN || !to.channel.startsWith('study.')) return
  const message: ChannelEvent = {
    event: event.kind === 'ready' ? 'READY' : 'STUDY',
    channel: to.channel,
    sid_md5: to.sidMd5,
    uuid: event.uuid,
    namespace_id: event.namespace_uuid,
  }
  socket.send(JSON.stringify(message))
}

function readFrame(frame: string): unknown {
  try {
    return JSON.parse(frame)
  } catch {
    return undefined // answered as INVALID_JSON
  }
}
