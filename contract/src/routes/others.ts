import { fetchedReportMinutes, reportHours } from '../limits.ts'
import { uuid } from '../route-parameters.ts'
import { defineRoute } from '../route.ts'

/** Doors that belong to no part of the API with an envelope of its own. */

const open = { methods: ['GET'], on: { kind: 'anyone' }, query: {}, errors: [] } as const
const live = { ...open, on: { kind: 'channel', may: 'hearStudies' }, answer: '101; frames see Channel' } as const

/** Each of its calls has its own session and right, as alone. */
export const bundle = defineRoute({
  methods: ['POST'],
  path: '/api/v3/bundle',
  summary:
    'Runs calls in order; {{path}} in a value is replaced from earlier replies, {{uuid}} or {{studies.[0].uuid}}.',
  on: { kind: 'anyone' },
  query: {},
  body: 'application/json: a list of {"URL": "/study/get", "sid": …, parameters}',
  answer: '200 application/json: a list, each reply with HTTP_STATUS_CODE as text; 400 when the list cannot be read',
  errors: [],
})

export const channel = defineRoute({
  ...live,
  path: '/api/v3/channel/websocket',
  summary: 'Live events, as text frames of JSON over a WebSocket.',
})
export const channelWithoutPrefix = defineRoute({
  ...live,
  path: '/channel/websocket',
  summary: 'The same, for clients that know no prefix.',
})

export const reportZip = defineRoute({
  methods: ['GET'],
  path: '/api/v3/report/zip',
  summary: `Hands out a report of the caller (report_id of the call that made it). It lies ready for ${reportHours} hours, and for ${fetchedReportMinutes} minutes after it was fetched.`,
  on: { kind: 'report' },
  query: { report_id: uuid('The report.') },
  answer:
    '200 application/zip with one CSV file; 404 without a session, for a report of somebody else, and once it is over',
  audit: ['LIST_FETCH'],
  errors: [],
})

export const openApi = defineRoute({
  ...open,
  path: '/api/v3/openapi.json',
  summary: 'This page for programs.',
  answer: '200 application/json: OpenAPI 3.1',
})
export const docsPage = defineRoute({
  ...open,
  path: '/api/v3/docs',
  summary: 'This page.',
  answer: '200 text/html',
})
export const securityContact = defineRoute({
  ...open,
  path: '/.well-known/security.txt',
  summary: 'Whom to tell of a weakness (RFC 9116).',
  answer: '200 text/plain',
})
export const healthLive = defineRoute({
  ...open,
  path: '/health/live',
  summary: 'The process answers.',
  answer: '200 application/json',
})
export const healthReady = defineRoute({
  ...open,
  path: '/health/ready',
  summary: 'The process answers and so does its database.',
  answer: '200 application/json; 503 with Retry-After',
})

export const metrics = defineRoute({
  ...open,
  on: { kind: 'operator' },
  path: '/metrics',
  summary:
    'Figures of the installation for Prometheus, with the token of HILUM_METRICS_TOKEN as a bearer token; without that setting 404.',
  answer: '200 text/plain; 401 without the token',
})

export const viewerPage = defineRoute({
  ...open,
  path: '/proviewer/*',
  summary: 'The page that shows the images of a study, by the derived sid of its address.',
  answer: '200 of the type of the file',
})
export const fullViewer = defineRoute({
  ...open,
  path: '/viewer/*',
  summary: 'Files of the full viewer.',
  answer: '200 of the type of the file; 503 while it is fetched',
})
