import { emailOf, type DemoLogin } from './sign-in.ts'
import { password } from './start-server.ts'

export interface Reply {
  status: number
  // Replies are looked at field by field by the tests.
  body: Record<string, unknown>
}

/** Calls the API over HTTP as an outside client does. */
export async function call(origin: string, path: string, input: Record<string, unknown> = {}): Promise<Reply> {
  const reply = await fetch(`${origin}/api/v3/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return { status: reply.status, body: (await reply.json()) as Reply['body'] }
}

/** As `call`, for what must succeed. */
export async function callWell(
  origin: string,
  path: string,
  input: Record<string, unknown> = {},
): Promise<Reply['body']> {
  const { status, body } = await call(origin, path, input)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** A session of a demo user, beside any browser. */
export async function openSession(origin: string, login: DemoLogin): Promise<string> {
  const { sid } = await callWell(origin, 'session/login', { login: emailOf(login), password })
  return String(sid)
}

export interface ListedStudy {
  uuid: string
  study_uid: string
  storage_namespace: string
  phi_namespace: string
  phi_namespace_name: string
  patient_name: string
  patientid: string
  patient_birth_date: string
  image_count: number
  thin: number
  expected_count: number | null
  arrival: string
  modality: string
}

/** All studies that the session sees. */
export async function listStudies(origin: string, sid: string): Promise<ListedStudy[]> {
  const { studies } = await callWell(origin, 'study/list', { sid, 'page.rows': 1000 })
  return studies as ListedStudy[] // the fields above are the wire's
}
