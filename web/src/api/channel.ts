import { type ChannelEvent, channelEvent, channelPingMs } from '@hilum/contract/channel'
import { getSid } from './credentials.ts'

/*
 * The live line to the server. One socket for the page; it opens with the first subscription, opens again with growing
 * pauses when it breaks, and subscribes anew by itself. The sid travels in the message, never in the address.
 */
type Listener = (event: ChannelEvent | 'reconnected') => void

const firstPauseMs = 500
const longestPauseMs = 30_000

const listeners = new Map<string, Set<Listener>>()
let socket: WebSocket | undefined
let pauseMs = firstPauseMs
let reopening: ReturnType<typeof setTimeout> | undefined
let pinging: ReturnType<typeof setInterval> | undefined
let hasBeenOpen = false

/**
 * Hears the events of a channel, `study.{namespace_id}`. After a break the listener hears 'reconnected', as events may
 * have been missed: read again. Returns the way to stop.
 */
export function subscribe(channel: string, listener: Listener): () => void {
  const heard = listeners.get(channel) ?? new Set()
  const isNew = heard.size === 0
  listeners.set(channel, heard.add(listener))
  if (!socket) open()
  else if (isNew) say('subscribe', channel)
  return () => {
    heard.delete(listener)
    if (heard.size > 0) return
    listeners.delete(channel)
    say('unsubscribe', channel)
  }
}

/** Hangs up, for when the session ends. */
export function closeChannel(): void {
  listeners.clear()
  clearTimeout(reopening)
  clearInterval(pinging)
  const last = socket
  socket = undefined
  hasBeenOpen = false
  last?.close()
}

function open(): void {
  clearTimeout(reopening)
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  const opened = new WebSocket(`${scheme}://${location.host}/api/v3/channel/websocket`)
  socket = opened
  opened.addEventListener('open', () => {
    pauseMs = firstPauseMs
    for (const channel of listeners.keys()) say('subscribe', channel)
    clearInterval(pinging)
    pinging = setInterval(() => opened.readyState === WebSocket.OPEN && opened.send('{"action":"ping"}'), channelPingMs)
    if (hasBeenOpen) for (const heard of listeners.values()) for (const listener of heard) listener('reconnected')
    hasBeenOpen = true
  })
  opened.addEventListener('message', ({ data }) => deliver(String(data)))
  opened.addEventListener('close', () => {
    if (socket !== opened) return
    clearInterval(pinging)
    socket = undefined
    if (listeners.size === 0) return
    // A spread of half the pause keeps a thousand browsers from coming back in the same instant.
    reopening = setTimeout(open, pauseMs * (0.75 + Math.random() / 2))
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  })
}

function say(action: 'subscribe' | 'unsubscribe', channel: string): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ action, channel, sid: getSid() }))
}

function deliver(text: string): void {
  const read = channelEvent.safeParse(parse(text))
  if (!read.success) return // replies to subscribe and ping
  for (const listener of listeners.get(read.data.channel) ?? []) listener(read.data)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no event
  }
}
