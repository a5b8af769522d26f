import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished } from 'vitest'
import { frameMessage, FrameReader } from '../src/inbound/hl7/mllp-frames.ts'

/** A sender of HL7 on this machine that waits for the answer to each message; its connection ends with the test. */
export function openHl7Sender(port: number | undefined, isTls = false) {
  const at = { host: '127.0.0.1', port: port ?? 0 }
  const socket = isTls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.on('error', () => undefined)
  const reader = new FrameReader(1_000_000)
  const answers: string[] = []
  socket.on('data', (chunk: Buffer) => answers.push(...reader.push(chunk).map((one) => one.toString('latin1'))))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const take = async () => {
    await expect.poll(() => answers.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0)
    return answers.shift() ?? ''
  }
  const ask = (text: string | Buffer) => {
    socket.write(frameMessage(Buffer.from(text)))
    return take()
  }
  return { socket, ask, take, closed, answers }
}

let messages = 0
export interface Hl7Header {
  id?: string
  to?: string
  from?: string
  mode?: string
  version?: string
}

/** A message under an id of its own, for the application WARD unless another is named. */
export function message(type: string, lines: readonly string[], header: Hl7Header = {}): string {
  const { id = `M${++messages}`, to = 'WARD', from = 'RIS', mode = 'P', version = '2.5.1' } = header
  return [`MSH|^~\\&|${from}|NORTH|${to}||20260301||${type}|${id}|${mode}|${version}`, ...lines].join('\r')
}

export const pidOf = (mrn: string, name = 'DOE^JANE', born = '19700102') =>
  `PID|1||${mrn}^^^NORTH^MR||${name}||${born}|F`

/** The code of an answer, MSA-1. */
export const codeOf = (answer: string) => /^MSA\|(\w\w)\|/m.exec(answer.replaceAll('\r', '\n'))?.[1]
/** Place and condition of an answer, ERR-2 and ERR-3. */
export const conditionOf = (answer: string) =>
  /^ERR\|\|([^|]*)\|(\d+)/m.exec(answer.replaceAll('\r', '\n'))?.slice(1, 3)
