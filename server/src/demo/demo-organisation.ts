import type { Designation } from '@hilum/contract/inbox-config'

/** The organisation that a first start makes, so that there is something to see. Invented from end to end. */
export const demoAccount = {
  name: 'Northside Imaging',
  issuer: 'NORTHSIDE',
  settings: {
    // those of its partners, so that nobody is reminded of them
    outside_issuers: 'LAKESIDE, HARBOUR',
    enable_inbox_view: '1',
    inbox_allow_switch_between_modes: '1',
    study_push_status: '1',
    enable_dicom_wrapping: '1',
  },
} as const

export type DemoGroup = 'emergency' | 'outpatients' | 'library' | 'gateway'
/** The gatekeeper group comes first: the cloud groups name it as where they nominate to. */
export const demoGroups: readonly {
  key: DemoGroup
  name: string
  designation: Designation
  /** By which DICOM senders of this machine call the group. */
  aeTitle?: string
}[] = [
  { key: 'gateway', name: 'Hospital PACS Gateway', designation: 'GATEKEEPER' },
  { key: 'emergency', name: 'Emergency Department', designation: 'CLOUD', aeTitle: 'HILUM' },
  { key: 'outpatients', name: 'Outpatient Imaging', designation: 'CLOUD', aeTitle: 'HILUM_OUT' },
  { key: 'library', name: 'Teaching Library', designation: 'LIBRARY' },
]

/** One user for each role. */
export const demoPeople: readonly {
  login: string
  first: string
  last: string
  role: string
  groups: readonly DemoGroup[]
}[] = [
  {
    login: 'administrator',
    first: 'Amara',
    last: 'Okafor',
    role: 'Administrator',
    groups: ['emergency', 'outpatients', 'library', 'gateway'],
  },
  {
    login: 'clinician',
    first: 'Daniel',
    last: 'Reyes',
    role: 'Clinician',
    groups: ['emergency', 'outpatients', 'library'],
  },
  { login: 'staff', first: 'Mei', last: 'Tanaka', role: 'Staff', groups: ['emergency', 'outpatients', 'library'] },
  { login: 'reviewer', first: 'Sofia', last: 'Lindqvist', role: 'Gatekeeper reviewer', groups: ['gateway', 'library'] },
  { login: 'viewer', first: 'Tomasz', last: 'Nowak', role: 'Viewer', groups: ['emergency', 'library'] },
  { login: 'uploader', first: 'Priya', last: 'Raman', role: 'Uploader', groups: ['emergency'] },
]

export function demoEmail(login: string): string {
  return `${login}@northside.example`
}

/** Organisations outside that are connected with the first: a radiology practice, and a clinic that refers patients. */
export const demoPartners: readonly {
  name: string
  issuer: string
  shareCode: string
  group: string
  /** Of its e-mail addresses. */
  domain: string
  people: readonly { login: string; first: string; last: string; role: string }[]
}[] = [
  {
    name: 'Lakeside Radiology',
    issuer: 'LAKESIDE',
    shareCode: 'LAKESIDE',
    group: 'Reading Room',
    domain: 'lakeside.example',
    people: [
      { login: 'administrator', first: 'Ingrid', last: 'Solberg', role: 'Administrator' },
      { login: 'staff', first: 'Kwame', last: 'Boateng', role: 'Staff' },
    ],
  },
  {
    name: 'Harbour Clinic',
    issuer: 'HARBOUR',
    shareCode: 'HARBOUR',
    group: 'Consulting Room',
    domain: 'harbour.example',
    people: [{ login: 'practice', first: 'Elif', last: 'Kaya', role: 'Administrator' }],
  },
]

/** Names that the one password of the demo's people must not hold. */
export const demoNames = [
  demoAccount.name,
  ...demoPartners.map(({ name }) => name),
  ...[demoPeople, ...demoPartners.map(({ people }) => people)].flatMap((people) =>
    people.flatMap(({ login, first, last }) => [login, first, last]),
  ),
]
