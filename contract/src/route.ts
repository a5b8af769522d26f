import type { Act } from './acts.ts'
import type { RouteParameters } from './route-parameters.ts'
import type { StorageErrorCode } from './storage-errors.ts'

export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'OPTIONS'

/** Looking at a study, on record once per session, study and act. */
export type AccessAct = 'STUDY_VIEW' | 'STUDY_DOWNLOAD' | 'REPORT_VIEW'

/**
 * Whom a route acts on, and the act that the caller must be allowed there. The server decides before the handler runs.
 *
 * - anyone: no session is needed.
 * - operator: a token of the settings opens it, which the handler looks at.
 * - channel: the connection needs no session; each subscription on it brings its own, and is allowed by the act.
 * - request: the session of a request alone, for the study of `study_uid` that its sender announced.
 * - report: a report that the caller had made, which the query names as `report_id`; any other is not there (404).
 * - caller: any session; with `may`, one that is allowed the act in one of the caller's places.
 * - namespace: the namespace that the path or the query names as `namespace`.
 * - study: the study of `namespace` and `studyUid` in the path, through the record of `phi_namespace` or the caller's own.
 *
 * Of DICOMweb, where `namespace` may be `all`, and what the caller may not see is not there (404):
 * - dicomwebScope: the namespaces that the path means, and the study, where the path has one, as far as it is seen.
 * - dicomwebNamespace: the one namespace of the path, to store into.
 * - dicomwebStudy: the study of `namespace` and `study` in the path.
 */
type RouteSubject =
  | { kind: 'anyone' }
  | { kind: 'operator' }
  | { kind: 'channel'; may: Act }
  | { kind: 'request' }
  | { kind: 'report' }
  | { kind: 'caller'; may?: Act }
  | { kind: 'namespace'; in: 'path' | 'query'; may: Act }
  | { kind: 'study'; may: Act }
  | { kind: 'dicomwebScope'; may: 'viewStudy' }
  | { kind: 'dicomwebNamespace'; may: Act }
  | { kind: 'dicomwebStudy'; may: Act }

/** Of a route that opens without a session. */
export type OpenSubject = Extract<RouteSubject, { kind: 'anyone' | 'operator' }>

/** Of a route that the session of a request opens, and no other. */
export type RequestSubject = Extract<RouteSubject, { kind: 'request' }>

/** Subject of a route that needs the session of a person, a program or a link. */
export type SessionSubject = Exclude<RouteSubject, OpenSubject | RequestSubject | { kind: 'channel' }>

/** Statuses by which DICOMweb refuses, with the reason in words. Source: PS3.18 §8.5. */
type DicomwebStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 413 | 415 | 416 | 503

/** A door of the server that is no call: its address is the public API's, its body and answer are bytes as well as JSON. */
export interface Route<
  Path extends string = string,
  Query extends RouteParameters = RouteParameters,
  On extends RouteSubject = RouteSubject,
  Method extends RouteMethod = RouteMethod,
> {
  methods: readonly Method[]
  /** As the server has it, with `:name` for what varies, and `*` for any rest. */
  path: Path
  /** One sentence for the API page. */
  summary: string
  on: On
  /** Parameters of the query. */
  query: Query
  /** Parameters whose names are attributes of DICOM. */
  isSearch?: true
  /** Media type and content of the body. */
  body?: string
  /** Headers that it reads, each with its content. */
  headers?: Readonly<Record<string, string>>
  /** Status and content of the answer. */
  answer: string
  /** An answer in JSON as an example; it has every field that is not the patient’s. */
  reply?: unknown
  /** Acts that an answer puts on record; a refusal puts none. */
  audit?: readonly (AccessAct | 'LIST_FETCH')[]
  /** A derived session, which else only reads, may write its own studies by this route. A link may not. */
  opensToDerived?: true
  /** Errors of its own, beside those of `commonErrorsOf`. */
  errors: readonly (StorageErrorCode | DicomwebStatus)[]
}

const ofStorage = ['ACCESS_DENIED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_REQUEST', 'STORAGE_EXCEPTION_OCCURRED'] as const
const ofStudy = ['STUDY_NOT_FOUND', ...ofStorage] as const
const ofReport = ['NOT_FOUND', 'STORAGE_EXCEPTION_OCCURRED'] as const
const ofRequest = ['ACCESS_DENIED', 'BAD_REQUEST', 'STORAGE_EXCEPTION_OCCURRED'] as const
const ofDicomweb = [401, 403, 404] as const

/** Errors that any route of its kind may give. */
export function commonErrorsOf({ kind }: RouteSubject): readonly (StorageErrorCode | DicomwebStatus)[] {
  switch (kind) {
    case 'anyone':
    case 'operator':
    case 'channel':
      return []
    case 'request':
      return ofRequest
    case 'report':
      return ofReport
    case 'caller':
    case 'namespace':
      return ofStorage
    case 'study':
      return ofStudy
    case 'dicomwebScope':
    case 'dicomwebNamespace':
    case 'dicomwebStudy':
      return ofDicomweb
  }
}

/** The names that a path gives values to: `/study/:namespace/count` → `namespace`; the rest of `/frames/*` is `*`. */
export type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : Path extends `${string}*`
    ? '*'
    : never

/** Declares a route: the one source of its handler's types, right and audit, of its row on the API page and of its address. */
/* @__NO_SIDE_EFFECTS__ */
export function defineRoute<
  const Path extends string,
  const Query extends RouteParameters,
  const On extends RouteSubject,
  const Method extends RouteMethod,
>(route: Route<Path, Query, On, Method>): Route<Path, Query, On, Method> {
  return route
}

/** The address of a route on its own host. */
export function addressOf<Path extends string, Query extends RouteParameters>(
  route: Pick<Route<Path, Query>, 'path' | 'query'>,
  names: Readonly<Record<NamesIn<Path>, string>>,
  query: Partial<Record<keyof Query, string>> = {},
): string {
  const given: Readonly<Record<string, string>> = names
  const path = route.path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
    .replace(/\*$/, () => encodeURI(given['*'] ?? ''))
  const parameters = new URLSearchParams(query as Record<string, string>).toString()
  return parameters ? `${path}?${parameters}` : path
}
