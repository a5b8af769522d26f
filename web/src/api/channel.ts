import { type ChannelEvent, channelEvent, channelJoined, channelPingMs, channelRefused } from '@hilum/contract/channel'
import { addressOf } from '@hilum/contract/route'
import { channel as channelRoute } from '@hilum/contract/routes/others'
import { getSid, renewSid } from './credentials.ts'

/*
 * The live line to the server. One socket for the page; it opens with the first subscription, opens again with growing
 * pauses when it breaks, and subscribes anew by itself. The sid travels in the message, never in the address.
 */
type Listener = (event: ChannelEvent | 'joined') => void

const firstPauseMs = 500
const longestPauseMs = 30_000

const listeners = new Map<string, Set<Listener>>()
let hearLoss: () => void = () => undefined
/** A line that comes back sooner was not missed by anybody. */
const downAfterMs = 3000
const downListeners = new Set<() => void>()
let isDown = false
let goingDown: ReturnType<typeof setTimeout> | undefined
let socket: WebSocket | undefined
let pauseMs = firstPauseMs
let reopening: ReturnType<typeof setTimeout> | undefined
let pinging: ReturnType<typeof setInterval> | undefined

/**
 * Hears the events of a channel, `study.{namespace_id}`. The listener hears 'joined' when the server begins to tell, the
 * first time and after each break: what changed until then was missed, so read again. Returns the way to stop.
 */
export function subscribe(channel: string, listener: Listener): () => void {
  const heard = listeners.get(channel) ?? new Set()
  const isNew = heard.size === 0
  listeners.set(channel, heard.add(listener))
  if (!socket) open()
  else if (isNew) void join([channel])
  return () => {
    heard.delete(listener)
    if (heard.size > 0) return
    listeners.delete(channel)
    say('unsubscribe', channel)
  }
}

/** Called when the line breaks or the server takes a channel away: the session, or a right, may have ended. */
export function onLineLost(hear: () => void): void {
  hearLoss = hear
}

/** Whether the line has been broken for seconds, so that the server cannot be reached. */
export const isLineDown = () => isDown

/** Hears when the line goes down and comes back. Returns the way to stop. */
export function onLineDown(hear: () => void): () => void {
  downListeners.add(hear)
  return () => downListeners.delete(hear)
}

function setDown(next: boolean): void {
  clearTimeout(goingDown)
  goingDown = undefined
  if (next === isDown) return
  isDown = next
  for (const hear of downListeners) hear()
}

/** Hangs up, for when the session ends. */
export function closeChannel(): void {
  setDown(false)
  listeners.clear()
  clearTimeout(reopening)
  clearInterval(pinging)
  const last = socket
  socket = undefined
  last?.close()
}

function open(): void {
  clearTimeout(reopening)
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const opened = new WebSocket(`${scheme}://${location.host}${addressOf(channelRoute, {})}`)
  socket = opened
  opened.addEventListener('open', () => {
    void join(listeners.keys())
    clearInterval(pinging)
    pinging = setInterval(() => opened.readyState === WebSocket.OPEN && opened.send('{"action":"ping"}'), channelPingMs)
  })
  opened.addEventListener('message', ({ data }) => deliver(String(data)))
  opened.addEventListener('close', () => {
    if (socket !== opened) return
    clearInterval(pinging)
    socket = undefined
    hearLoss()
    if (listeners.size === 0) return
    if (!isDown) goingDown ??= setTimeout(() => setDown(true), downAfterMs)
    // A spread of half the pause keeps a thousand browsers from coming back in the same instant.
    reopening = setTimeout(open, pauseMs * (0.75 + Math.random() / 2))
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  })
}

async function join(channels: Iterable<string>): Promise<void> {
  const renewing = renewSid()
  if (renewing) await renewing
  for (const channel of channels) if (listeners.has(channel)) say('subscribe', channel)
}

function say(action: 'subscribe' | 'unsubscribe', channel: string): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ action, channel, sid: getSid() }))
}

function deliver(text: string): void {
  const said = parse(text)
  const joined = channelJoined.safeParse(said)
  if (joined.success) {
    // not sooner: a server that has no room closes what it has just opened
    pauseMs = firstPauseMs
    setDown(false)
    return tell(joined.data.channel, 'joined')
  }
  if (channelRefused.safeParse(said).success) return hearLoss()
  const read = channelEvent.safeParse(said)
  if (read.success) tell(read.data.channel, read.data)
}

function tell(channel: string, event: ChannelEvent | 'joined'): void {
  for (const listener of listeners.get(channel) ?? []) listener(event)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no event
  }
}
