import { newUid } from '@hilum/dicom/uid'
import { expect } from 'vitest'
import { madeImage } from './made-image.ts'

export type Fields = Record<string, string | number | object>
// a foreign client reads replies without a schema
// oxlint-disable-next-line typescript/no-explicit-any
export type Reply = any

/** A client that knows nothing but the public wire: addresses, form-encoded fields and replies. */
export function wireClient(origin: string) {
  async function send(path: string, fields: Fields): Promise<Reply> {
    const texts = Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    const reply = await fetch(`${origin}/api/v3/${path}`, { method: 'POST', body: new URLSearchParams(texts) })
    return reply.json()
  }

  /** Calls with one session. */
  function withSid(sid: string) {
    return {
      sid,
      /** A call that has to succeed. */
      ask: async (path: string, fields: Fields = {}): Promise<Reply> => {
        const body = await send(path, { sid, ...fields })
        expect(body.status, `${path}: ${JSON.stringify(body)}`).toBe('OK')
        return body
      },
      fault: async (path: string, fields: Fields): Promise<string> =>
        (await send(path, { sid, ...fields })).error_type as string,
    }
  }

  return {
    send,
    withSid,
    signIn: async (login: string, password: string) => withSid((await send('session/login', { login, password })).sid),
    /** One image of a new study; gives the Study Instance UID. */
    upload: async (namespace: string, sid: string): Promise<string> => {
      const studyUid = newUid()
      const body = new Uint8Array(madeImage({ studyUid, number: 1 }))
      const address = `${origin}/api/v3/storage/namespace/${namespace}/image?sid=${sid}`
      expect((await fetch(address, { method: 'POST', body })).status).toBe(202)
      return studyUid
    },
    /** Items of one bundle, as the wire writes it. */
    bundle: async (items: readonly Fields[]): Promise<Reply[]> => {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`${origin}/api/v3/bundle`, { method: 'POST', headers, body: JSON.stringify(items) })
      return (await reply.json()) as Reply[]
    },
  }
}
